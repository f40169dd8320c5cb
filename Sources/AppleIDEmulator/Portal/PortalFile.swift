import StrictJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A portal declared in a JSON file. The format is described in `Docs/emulator-portal.md`.
public enum PortalFile {
    private static let maximumBytes = 4 * 1024 * 1024

    /// Reads a file, makes the keys that it leaves to the emulator, and applies the rules of Apple's portal.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - isStrict: applies Apple's rules for addresses and identifiers to the letter; see
    ///     ``EmulatorConfiguration/strictURLs``.
    /// - Throws: ``EmulatorError`` with the code `invalid_portal`, whose reason names file, line and member.
    public static func read(_ path: String, isStrict: Bool = false) throws(EmulatorError) -> Portal {
        let bytes: [UInt8]
        do {
            bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            throw EmulatorError(.invalidPortal, "no such file: \(path)")
        } catch {
            throw EmulatorError(.invalidPortal, "the portal's file cannot be read: \(path)", cause: error)
        }
        return try parse(bytes, name: path, isStrict: isStrict)
    }

    /// The same for content that is there already.
    ///
    /// - Parameter name: stands in messages.
    public static func parse(
        _ bytes: [UInt8], name: String = "portal", isStrict: Bool = false
    ) throws(EmulatorError) -> Portal {
        let root: JSONValue
        do {
            root = try JSONDocument(bytes, limits: JSONLimits(maximumBytes: maximumBytes)).root
        } catch {
            let line = PortalPlace.line(at: error.offset, of: bytes)
            throw EmulatorError(.invalidPortal, "\(name), line \(line): not acceptable JSON (\(error.code.rawValue))")
        }
        func located(_ reason: String, _ place: String?) -> EmulatorError {
            let line = PortalPlace(place ?? "").line(in: root, of: bytes)
            return EmulatorError(.invalidPortal, "\(name), line \(line): \(reason)", place: place)
        }
        let portal: Portal
        do {
            portal = try PortalReader().portal(root)
        } catch {
            throw located(error.description, error.place)
        }
        do {
            _ = try Registry(portal)
            try PortalRules(isStrict: isStrict).check(portal)
        } catch {
            throw located((error.place.map { "\($0): " } ?? "") + error.reason, error.place)
        }
        return portal
    }
}
