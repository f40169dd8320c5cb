import Foundation

/// A form of a page, read as far as a browser would need to send it.
struct PageForm {
    struct Button {
        let name: String?
        let value: String
        /// The text on the form, in one line.
        let text: String
    }

    let action: String
    let isPost: Bool
    let buttons: [Button]
    private let inputs: [[String: String]]

    static func all(in page: String) -> [PageForm] {
        page.matches(of: /<form\b([^>]*)>(.*?)<\/form>/.dotMatchesNewlines()).map { match in
            let attributes = Self.attributes(match.1)
            let body = match.2
            return PageForm(
                action: attributes["action"] ?? "",
                isPost: attributes["method"]?.lowercased() == "post",
                buttons: body.matches(of: /<button\b([^>]*)>(.*?)<\/button>/.dotMatchesNewlines()).map { button in
                    let attributes = Self.attributes(button.1)
                    let text = String(button.2).replacing(/<[^>]*>/, with: " ")
                    return Button(
                        name: attributes["name"], value: attributes["value"] ?? "",
                        text: Self.unescaped(text.split(whereSeparator: \.isWhitespace).joined(separator: " ")))
                },
                inputs: body.matches(of: /<input\b([^>]*)>/).map { Self.attributes($0.1) })
        }
    }

    /// The fields as they stand, with the given ones filled in. A password and a code get something to pass with.
    func values(entries: [String: String]) -> [String: String] {
        var fields: [String: String] = [:]
        for input in inputs {
            guard let name = input["name"] else { continue }
            let value = input["value"] ?? (["radio", "checkbox"].contains(input["type"]) ? "on" : "")
            switch input["type"] {
            case "radio", "checkbox":
                let isChosen = entries[name].map { $0 == value } ?? (input["checked"] != nil)
                if isChosen { fields[name] = value }
            case "hidden": fields[name] = value
            case "password": fields[name] = entries[name] ?? "any password"
            default:
                let isCode = input["autocomplete"] == "one-time-code" || input["inputmode"] == "numeric"
                fields[name] = entries[name] ?? (isCode ? "123456" : value)
            }
        }
        return fields
    }

    private static func attributes(_ text: Substring) -> [String: String] {
        var found: [String: String] = [:]
        for match in text.matches(of: /([a-zA-Z-]+)(?:="([^"]*)")?/) {
            found[match.1.lowercased()] = match.2.map { unescaped(String($0)) } ?? ""
        }
        return found
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}
