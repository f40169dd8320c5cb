import Foundation

/// The result of one check, for people and for machines.
package struct Finding: Encodable, Sendable, Hashable {
    package enum Outcome: String, Encodable, Sendable {
        case passed
        /// The setting works, but is probably not intended.
        case warned
        case failed
        /// The check could not run, or there was nothing to check.
        case skipped
    }

    /// A hint that says what to do about it.
    package struct Hint: Encodable, Sendable, Hashable {
        /// The cause that it speaks of, where the finding may have several; snake_case, as ``Finding/code``.
        package var cause: String?
        package let text: String

        package init(cause: String? = nil, text: String) {
            self.cause = cause
            self.text = text
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            // Null rather than absent.
            try container.encode(cause, forKey: .cause)
            try container.encode(text, forKey: .text)
        }

        private enum CodingKeys: CodingKey {
            case cause
            case text
        }
    }

    package let name: String
    package var outcome: Outcome
    /// Snake_case and stable, for programs; nil where nothing is wrong.
    package var code: String?
    package var explanation: String
    package var hints: [Hint] = []

    package static func passed(_ name: String, _ explanation: String) -> Self {
        Self(name: name, outcome: .passed, explanation: explanation)
    }

    package static func skipped(_ name: String, _ explanation: String, hint: String? = nil) -> Self {
        Self(name: name, outcome: .skipped, explanation: explanation, hints: hints(hint))
    }

    package static func warned(_ name: String, _ code: String, _ explanation: String, hint: String? = nil) -> Self {
        Self(name: name, outcome: .warned, code: code, explanation: explanation, hints: hints(hint))
    }

    package static func failed(_ name: String, _ code: String, _ explanation: String, hint: String? = nil) -> Self {
        Self(name: name, outcome: .failed, code: code, explanation: explanation, hints: hints(hint))
    }

    private static func hints(_ text: String?) -> [Hint] { text.map { [Hint(text: $0)] } ?? [] }

    /// One line, and one more for each hint.
    package var text: String {
        let word = outcome == .failed ? "FAILED" : outcome.rawValue
        let found = code.map { "\($0): \(explanation)" } ?? explanation
        return
            ([Self.padded(word, to: 8) + " " + Self.padded(name, to: 16) + " " + found]
            + hints.map { "         hint: " + ($0.cause.map { "\($0): " } ?? "") + $0.text })
            .joined(separator: "\n")
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(outcome, forKey: .outcome)
        // Null rather than absent.
        try container.encode(code, forKey: .code)
        try container.encode(explanation, forKey: .explanation)
        try container.encode(hints, forKey: .hints)
    }

    private enum CodingKeys: CodingKey {
        case name
        case outcome
        case code
        case explanation
        case hints
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension [Finding] {
    /// Whether nothing failed; warnings do not count.
    package var areGood: Bool { !contains { $0.outcome == .failed } }

    /// One line a finding with its hints, and a last one for the whole.
    package func text(good: String, bad: String) -> String {
        (map(\.text) + [areGood ? good : bad]).joined(separator: "\n")
    }

    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(FindingsReport(good: areGood, checks: self)), as: UTF8.self)
    }
}

private struct FindingsReport: Encodable {
    let good: Bool
    let checks: [Finding]
}
