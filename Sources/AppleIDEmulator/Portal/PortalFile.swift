import StrictJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads portals from JSON files. `Docs/emulator-portal.md` describes the format.
public enum PortalFile {
    private static let maximumBytes = 4 * 1024 * 1024

    /// Reads a file, makes the keys that it leaves to the emulator, and applies the rules of Apple's portal.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
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

    /// Reads a portal from the content of a file, as ``read(_:isStrict:)`` does.
    ///
    /// - Parameter name: the name of the file in messages.
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

/// The place of a value in a portal's JSON, as messages write it: `teams[0].apps[1].id`.
struct PortalPlace {
    private enum Step {
        case member(String)
        case element(Int)
    }

    private let steps: [Step]

    init(_ text: String) {
        steps = text.split(separator: ".").flatMap { part -> [Step] in
            let pieces = part.split(separator: "[")
            return [.member(String(pieces.first ?? ""))]
                + pieces.dropFirst().compactMap { Int($0.dropLast()).map { .element($0) } }
        }
    }

    /// Returns the number of the line, from 1 on, in which the value begins; if it is missing, the line of the value
    /// that should have it.
    func line(in root: JSONValue, of bytes: [UInt8]) -> Int {
        var value = root
        search: for step in steps {
            let next: JSONValue?
            switch step {
            case .member(let name): next = value.kind == .object ? value[name] : nil
            case .element(let index):
                next = value.kind == .array ? Array(value.elements).dropFirst(index).first : nil
            }
            guard let next else { break search }
            value = next
        }
        return Self.line(at: value.offset, of: bytes)
    }

    static func line(at offset: Int, of bytes: [UInt8]) -> Int {
        1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    }
}
