import CMailTemplates
import Foundation

/// The files of the templates: those that the program carries, and those of the operator's folder over them.
struct MailTemplateFiles: Sendable {
    /// The forms in which a mail is written, by the ending of the file's name.
    enum Form: String, CaseIterable, Sendable {
        case subject, text, html
    }

    /// The texts by `LANGUAGE/NAME.FORM`, such as `en/test.html`.
    private(set) var texts: [String: String] = [:]

    init() {
        for index in 0..<mail_template_file_count {
            // Constant data of the program: as many files, and as many bytes in each, as the counts say.
            let file = unsafe mail_template_files()[index]
            let name = unsafe String(cString: file.name)
            texts[name] = unsafe String(
                decoding: UnsafeBufferPointer(start: file.bytes, count: file.size), as: UTF8.self)
        }
        // A file for all languages is there in each of the program's.
        let languages = Set(texts.keys.filter { $0.contains("/") }.map { String($0.prefix { $0 != "/" }) })
        for (name, text) in texts where !name.contains("/") {
            texts[name] = nil
            for language in languages { texts["\(language)/\(name)"] = text }
        }
    }

    /// Takes a folder's files in the place of those of the same name, and beside them for other languages.
    /// - Parameters:
    ///   - folder: has a folder for each language, named by BCP 47.
    ///   - names: the names that a file may have, without the form.
    mutating func replace(with folder: URL, names: Set<String>) throws(AccountMailError) {
        for language in try Self.entries(of: folder) {
            guard Self.isLanguage(language) else {
                throw AccountMailError(
                    .invalidTemplate, "the folder of templates has \(language), which is no language")
            }
            for name in try Self.entries(of: folder.appending(path: language)) {
                let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2, names.contains(parts[0]), let form = Form(rawValue: parts[1]),
                    !MailTemplates.frames.contains(parts[0]) || form != .subject
                else {
                    throw AccountMailError(.invalidTemplate, "no mail uses the template \(language)/\(name)")
                }
                texts["\(language)/\(name)"] = try Self.read(folder.appending(path: "\(language)/\(name)"))
            }
        }
    }

    /// Without hidden files and the copies that editors leave.
    private static func entries(of folder: URL) throws(AccountMailError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { !$0.hasPrefix(".") && !$0.hasSuffix("~") }.sorted()
        } catch {
            throw AccountMailError(
                .invalidTemplate, "the folder of templates \(folder.path) can't be read", cause: error)
        }
    }

    private static func read(_ file: URL) throws(AccountMailError) -> String {
        do {
            return try String(contentsOf: file, encoding: .utf8)
        } catch {
            throw AccountMailError(.invalidTemplate, "the template \(file.path) can't be read as UTF-8", cause: error)
        }
    }

    /// Letters, digits and hyphens, and it stands in header fields and attributes as it is.
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return (2...3).contains(parts[0].count) && text.utf8.count <= 35
            && parts.allSatisfy { part in
                (1...8).contains(part.count)
                    && part.allSatisfy {
                        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    }
            }
    }
}
