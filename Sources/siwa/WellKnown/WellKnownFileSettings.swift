import AppleID
import ArgumentParser
import CommandIO
import WellKnownFiles

/// The options that name the files of the operator's under `/.well-known`, as several commands take them.
struct WellKnownFileOptions: ParsableArguments {
    @Option(.appleAppSiteAssociationFile) var appleAppSiteAssociationFile: String?
    @Option(.assetlinksFile) var assetlinksFile: String?
    @Option(.appleDomainAssociationFile) var appleDomainAssociationFile: String?
    @Option(.securityTxtFile) var securityTxtFile: String?

    /// Reads and checks the files that the options name.
    /// - Throws: ``Failure`` that names the option, the file, and what is wrong in it.
    func read() throws -> [WellKnownFile: CheckedFile] {
        var files: [WellKnownFile: CheckedFile] = [:]
        for (file, path) in [
            (WellKnownFile.appSiteAssociation, appleAppSiteAssociationFile), (.assetLinks, assetlinksFile),
            (.domainAssociation, appleDomainAssociationFile), (.securityText, securityTxtFile),
        ] {
            guard let path else { continue }
            do {
                files[file] = try file.read(path)
            } catch {
                throw Failure("\(file.setting.path): \(error.problem)", isUsage: true)
            }
        }
        return files
    }
}

extension WellKnownFile {
    /// The setting that names the file on this machine.
    var setting: Setting {
        switch self {
        case .appSiteAssociation: .appleAppSiteAssociationFile
        case .assetLinks: .assetlinksFile
        case .domainAssociation: .appleDomainAssociationFile
        case .securityText: .securityTxtFile
        }
    }

    /// Reads and checks a file of this kind.
    /// - Throws: ``Failure`` that names the file, and the member or line that is wrong.
    func read(_ path: String) throws(Failure) -> CheckedFile {
        let bytes = try BoundedFile.bytes(path, limit: Self.maximumBytes)
        do {
            return try check(bytes)
        } catch {
            throw Failure("the file \(path): \(error)")
        }
    }
}

@available(siwaServer 1.0, *)
extension [WellKnownFile: CheckedFile] {
    /// Reads the files that settings name. Problems are reported.
    static func read(_ reader: inout SettingsReader) -> Self {
        var files: Self = [:]
        for file in WellKnownFile.allCases {
            guard let path = reader.text(file.setting) else { continue }
            do throws(Failure) {
                files[file] = try file.read(path)
            } catch {
                reader.report(file.setting, error.problem)
            }
        }
        return files
    }

    /// Warnings of files that are served and likely not what was meant.
    ///
    /// An expired `security.txt` is one of them and no error: a server that was restarted after that day would not come
    /// up again.
    /// - Parameter now: Seconds since 1970.
    func warnings(at now: Int64) -> [String] {
        guard case .securityText(let text) = self[.securityText]?.content else { return [] }
        var warnings: [String] = []
        if text.isExpired(at: now) {
            warnings.append(
                "\(Setting.securityTxtFile.path): it has expired (\(TextForPeople.time(text.expires, now: now))), so "
                    + "nobody should use it any more; give it a new Expires")
        }
        if !text.unknownFields.isEmpty {
            let names = text.unknownFields.map { TextForPeople.quoted($0, limit: 40) }.joined(separator: ", ")
            warnings.append(
                "\(Setting.securityTxtFile.path): RFC 9116 names no field \(names), so readers ignore it")
        }
        return warnings
    }
}
