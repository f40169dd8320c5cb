import Foundation
import Testing

/// Reads the templates and the description of the calls, so that a page or a call that is added later is looked at too.
@Suite("The fields for passwords")
struct PasswordFieldTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private func files(_ folder: String, _ ending: String) throws -> [(name: String, text: String)] {
        let folder = Self.root.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }.map {
            ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
        }
    }

    /// The tags of all fields of the service's pages.
    private func fields() throws -> [String] {
        let tags = try files("Sources/CAccountPages/Pages", ".mustache").flatMap { page in
            page.text.matches(of: /<input\b(?:[^>{]|{{[^}]*}})*>/).map { String($0.0) }
        }
        try #require(tags.count > 20)
        return tags
    }

    private func passwordFields() throws -> [String] {
        let found = try fields().filter { $0.contains(/name="\w*[pP]assword"/) || $0.contains(/type="password"/) }
        try #require(found.count >= 6)
        return found
    }

    @Test("Every field for a password hides what is typed")
    func hidden() throws {
        for field in try passwordFields() { #expect(field.contains(#"type="password""#), "\(field)") }
    }

    @Test("Password managers know each field, nothing is cut off, and nothing keeps from pasting")
    func managers() throws {
        for field in try passwordFields() {
            #expect(field.contains(/autocomplete="(?:current|new)-password"/), "\(field)")
            #expect(!field.contains("maxlength="), "\(field)")
            if field.contains("new-password") {
                #expect(field.contains(#"passwordrules="minlength: {{newPassword.minimumLength}}; "#), "\(field)")
            }
        }
        let pages = try files("Sources/CAccountPages/Pages", ".mustache")
        for page in pages { #expect(!page.text.contains(/\son[a-z]+=/), "\(page.name) has a script of its own") }
        for script in try files("Sources/CAccountPages/Scripts", ".js") {
            #expect(!script.text.contains(/paste|password/), "\(script.name)")
        }
    }

    @Test("Each field that a person sees has a label")
    func labels() throws {
        for page in try files("Sources/CAccountPages/Pages", ".mustache") {
            for tag in page.text.matches(of: /<input\b(?:[^>{]|{{[^}]*}})*>/).map({ String($0.0) }) {
                guard !tag.contains(#"type="hidden""#), !tag.contains(" hidden ") else { continue }
                let id = try #require(tag.firstMatch(of: /\bid="(?<id>[^"]+)"/), "\(page.name): \(tag)").id
                #expect(page.text.contains(#"<label for="\#(id)">"#), "\(page.name): \(tag)")
            }
        }
    }

    @Test("A field for a new password says how to choose a good one")
    func guidance() throws {
        let field = try #require(
            try files("Sources/CAccountPages/Pages", ".mustache").first { $0.name == "new-password.mustache" })
        #expect(field.text.contains("At least {{newPassword.minimumLength}} characters, of any kind."))
        #expect(field.text.contains("words"))
        // The hint is read out with the field.
        #expect(field.text.contains(/aria-describedby="[^"]*new-password-hint"/))
    }

    @Test("No page and no call takes a hint or an answer to a question about the person")
    func questions() throws {
        for field in try fields() {
            #expect(!field.contains(/name="[^"]*(?:[hH]int|[qQ]uestion|[aA]nswer)/), "\(field)")
        }
        let calls = try String(contentsOf: Self.root.appending(path: "Docs/openapi.yaml"), encoding: .utf8)
        try #require(calls.contains("newPassword"))
        #expect(!calls.contains(/(?i)\b(?:passwordHint|hint|securityQuestion|securityAnswer):/))
    }
}
