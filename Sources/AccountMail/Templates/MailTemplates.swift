import AccountService
public import Foundation
import Mustache

/// The texts of the mails: Mustache templates for each kind and language, as subject, text and HTML.
///
/// The program carries templates in English and German. An operator's folder replaces them file by file:
/// `LANGUAGE/KIND.FORM`, for example `en/new_device.html`, where the form is `subject`, `text` or `html`. `layout.text` and
/// `layout.html` are the frame around the others, and show `sender`. A folder of another language adds that language, for each kind that has
/// all three forms there. Every value is escaped before a template in HTML sees it.
public struct MailTemplates: Sendable {
    /// The templates that are the frame of the others, and name its sender. They have no subject.
    static let frames: Set = ["layout", "sender"]
    /// The kinds that the program has templates for.
    static let kinds = Set(Mail.Kind.all.map(\.rawValue))

    /// The language of a person who hasn't told one, or one without templates.
    public let defaultLanguage: String
    /// The templates by language and form; each library has them by kind.
    private let libraries: [String: [MailTemplateFiles.Form: MustacheLibrary]]

    /// Reads the templates.
    /// - Parameters:
    ///   - folder: files that replace those of the program.
    ///   - defaultLanguage: of a person who hasn't told one, or one without templates.
    /// - Throws: `AccountMailError` with ``AccountMailError/Code/invalidTemplate`` when a file can't be read, isn't
    ///   Mustache or has a name that no mail uses, or when a kind isn't there in the default language.
    public init(folder: URL? = nil, defaultLanguage: String = "en") throws(AccountMailError) {
        var files = MailTemplateFiles()
        if let folder { try files.replace(with: folder, names: Self.kinds.union(Self.frames)) }
        var libraries: [String: [MailTemplateFiles.Form: MustacheLibrary]] = [:]
        for (path, text) in files.texts {
            let parts = path.split(whereSeparator: { $0 == "/" || $0 == "." }).map(String.init)
            guard parts.count == 3, let form = MailTemplateFiles.Form(rawValue: parts[2]) else { continue }
            try Self.register(
                text, parts[1], of: path,
                in: &libraries[parts[0].lowercased(), default: [:]][form, default: MustacheLibrary()])
        }
        for (language, forms) in libraries where language != "en" {
            for form in MailTemplateFiles.Form.allCases {
                var library = forms[form] ?? MustacheLibrary()
                for name in Self.frames where library.getTemplate(named: name) == nil {
                    guard let english = libraries["en"]?[form]?.getTemplate(named: name) else { continue }
                    library.register(english, named: name)
                }
                libraries[language]?[form] = library
            }
        }
        self.libraries = libraries
        self.defaultLanguage = defaultLanguage
        guard Self.kinds.allSatisfy({ has($0, in: defaultLanguage.lowercased()) }) else {
            throw AccountMailError(.invalidTemplate, "there aren't all templates in the default language")
        }
    }

    private static func register(
        _ text: String, _ name: String, of path: String, in library: inout MustacheLibrary
    ) throws(AccountMailError) {
        // A template may stand within a line of another.
        let text = text.hasSuffix("\n") ? String(text.dropLast()) : text
        do {
            // The values are escaped already, so no template has to.
            try library.register("{{% CONTENT_TYPE:TEXT}}" + text, named: name)
        } catch {
            throw AccountMailError(.invalidTemplate, "the template \(path) isn't Mustache", cause: error)
        }
    }

    private func has(_ kind: String, in language: String) -> Bool {
        MailTemplateFiles.Form.allCases.allSatisfy { libraries[language]?[$0]?.getTemplate(named: kind) != nil }
    }

    /// The best language for a person: the first of theirs in which the kind has templates, or the default.
    private func language(for languages: [String], of kind: String) -> String {
        LanguageLookup.first(of: languages) { has(kind, in: $0) ? $0 : nil } ?? defaultLanguage.lowercased()
    }

    /// The text without empty lines around it, and with a line break at its end.
    private static func tidied(_ text: String) -> String { text.trimmingCharacters(in: .newlines) + "\n" }

    /// Writes a mail.
    /// - Parameters:
    ///   - languages: BCP 47, the person's favorite first.
    ///   - values: what the templates show, by name.
    /// - Returns: Nil when the kind has no templates, or the subject or the text comes out empty.
    func render(_ kind: String, languages: [String], values: [String: String]) -> RenderedMail? {
        let language = language(for: languages, of: kind)
        guard let forms = libraries[language] else { return nil }
        let plain = MailValues(values, language: language)
        guard let raw = forms[.subject]?.render(plain.context, withTemplate: kind) else { return nil }
        let subject = String(MailValues.oneLine(raw).prefix(200))
        let titled = plain.adding(title: subject)
        guard !subject.isEmpty, let text = forms[.text]?.render(titled.context, withTemplate: kind),
            let html = forms[.html]?.render(titled.escapedForHTML.context, withTemplate: kind),
            text.contains(where: { !$0.isWhitespace })
        else { return nil }
        return RenderedMail(
            language: language, subject: subject, text: Self.tidied(text.replacing(#/\n{3,}/#, with: "\n\n")),
            html: Self.tidied(html))
    }
}

/// A mail in words.
struct RenderedMail: Hashable, Sendable {
    /// BCP 47, in lower case.
    let language: String
    /// One line, without control characters.
    let subject: String
    let text: String
    let html: String
}
