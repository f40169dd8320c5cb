import CommandIO

/// Reads a file that holds a secret. No error quotes anything of the file's content.
@available(siwaServer 1.0, *)
enum FileSecret {
    /// How many lines a secret may have.
    enum Lines {
        case one
        case several
    }

    /// The largest file that is read, in bytes.
    private static let limit = 1 << 20

    /// Reads the text of a file, without the newline at its end.
    ///
    /// - Throws: ``Failure`` for a file that cannot be read, is empty, is too large or is no text, and for one with
    ///   several lines where one is meant.
    static func text(_ path: String, lines: Lines) throws(Failure) -> String {
        let content = try BoundedFile.bytes(path, limit: limit)
        guard content.count <= limit else { throw Failure("the file \(path) is larger than 1 MiB") }
        guard let text = String(validating: withoutNewline(content), as: UTF8.self), !text.utf8.contains(0) else {
            throw Failure("the file \(path) is not a text in UTF-8")
        }
        guard !text.allSatisfy(\.isWhitespace) else { throw Failure("the file \(path) is empty") }
        if lines == .one, text.contains(where: \.isNewline) {
            throw Failure("the file \(path) holds more than one line")
        }
        return text
    }

    /// Reads the secret of an option that is no setting.
    ///
    /// - Throws: ``Failure`` that names the option, and otherwise as ``text(_:lines:)``.
    static func text(_ path: String, lines: Lines, option: String) throws(Failure) -> String {
        do {
            return try text(path, lines: lines)
        } catch {
            throw Failure("\(option): \(error.problem)")
        }
    }

    /// Drops one newline at the end, as an editor or `echo` writes it.
    private static func withoutNewline(_ content: [UInt8]) -> ArraySlice<UInt8> {
        guard content.last == UInt8(ascii: "\n") else { return content[...] }
        let rest = content.dropLast()
        return rest.last == UInt8(ascii: "\r") ? rest.dropLast() : rest
    }
}

extension SettingsReader {
    /// A secret, and the setting to name when something is wrong with it.
    struct Secret {
        let text: String
        let setting: Setting
    }

    /// Reads a secret from its setting, or from the file that ``Setting/secretFile`` names; nil when neither is there,
    /// and after a problem, which is reported.
    mutating func secret(_ setting: Setting, lines: FileSecret.Lines) -> Secret? {
        let file = setting.secretFile
        let given = text(setting, isSecret: true)
        let path = text(file)
        guard given == nil || path == nil else {
            report(file, "is there beside \(setting.path); only one can be")
            return nil
        }
        if let path {
            return secret(inFile: path, of: file, lines: lines).map { Secret(text: $0, setting: file) }
        }
        return given.map { Secret(text: $0, setting: setting) }
    }

    /// Reads the secret in a file; nil after a problem, which is reported.
    /// - Parameter setting: The setting that names the file.
    mutating func secret(inFile path: String, of setting: Setting, lines: FileSecret.Lines) -> String? {
        do {
            return try FileSecret.text(path, lines: lines)
        } catch {
            report(setting, error.problem)
            return nil
        }
    }
}
