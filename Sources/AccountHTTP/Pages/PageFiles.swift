import CAccountPages

/// The templates, styles, scripts and images of the pages, as they lie in `Sources/CAccountPages`. The program carries
/// them.
struct PageFiles: Sendable {
    /// The files' texts by their names.
    let texts: [String: String]

    init() {
        var texts: [String: String] = [:]
        for index in 0..<account_page_file_count {
            // Constant data of the program: as many files, and as many bytes in each, as the counts say.
            let file = unsafe account_page_files()[index]
            let name = unsafe String(cString: file.name)
            texts[name] = unsafe String(
                decoding: UnsafeBufferPointer(start: file.bytes, count: file.size), as: UTF8.self)
        }
        self.texts = texts
    }

    /// The Mustache templates by their names. A template's text ends before the last line break of its file, because a
    /// template may stand within a line of another.
    var templates: [String: String] {
        var templates: [String: String] = [:]
        for (name, text) in texts where name.hasSuffix(".mustache") {
            templates[String(name.dropLast(".mustache".count))] = text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
        return templates
    }

    /// The text of a file.
    func text(_ name: String) throws -> String {
        guard let text = texts[name] else { throw MissingFile(name: name) }
        return text
    }

    /// An error in the program: a file isn't in the list of `CAccountPages`. A test opens each.
    struct MissingFile: Error {
        let name: String
    }
}
