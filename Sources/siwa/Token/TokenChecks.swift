import AppleID
import Foundation

/// What every rule said, ready to be printed.
struct TokenChecks {
    struct Line: Encodable {
        enum Outcome: String, Encodable {
            case passed
            case failed
            case skipped
        }

        let name: String
        var outcome: Outcome
        var code: String?
        var explanation: String

        init(_ check: CheckResult) {
            name = check.name
            explanation = check.explanation
            switch check.outcome {
            case .passed: outcome = .passed
            case .skipped: outcome = .skipped
            case .failed(let code):
                outcome = .failed
                self.code = "\(code)"
            }
        }

        var text: String {
            let found = code.map { "\($0): \(explanation)" } ?? explanation
            let word = outcome == .failed ? "FAILED" : outcome.rawValue
            return "\(Self.padded(word, to: 8)) \(Self.padded(name, to: 16)) \(found)"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(outcome, forKey: .outcome)
            // Null rather than absent.
            try container.encode(code, forKey: .code)
            try container.encode(explanation, forKey: .explanation)
        }

        private enum CodingKeys: CodingKey {
            case name
            case outcome
            case code
            case explanation
        }

        private static func padded(_ text: String, to width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
    }

    private(set) var lines: [Line]
    let isGood: Bool

    private let noun: String

    init(_ report: VerificationReport) {
        lines = report.checks.map(Line.init)
        isGood = report.isVerified
        noun = "token"
    }

    init(_ report: NotificationReport) {
        lines = report.checks.map(Line.init)
        isGood = report.isVerified
        noun = "notification"
    }

    /// Says of a rule that it was given nothing to compare with, if it found nothing wrong.
    mutating func skip(_ name: String, because explanation: String) {
        for index in lines.indices where lines[index].name == name && lines[index].outcome == .passed {
            lines[index].outcome = .skipped
            lines[index].explanation = explanation
        }
    }

    /// Says in other words what a rule found wrong.
    mutating func explain(_ code: AppleIDError.Code, as explanation: String) {
        for index in lines.indices where lines[index].code == "\(code)" { lines[index].explanation = explanation }
    }

    /// One line a check, and a last one for the whole.
    func text() -> String {
        let isComplete = !lines.contains { ["audience", "nonce"].contains($0.name) && $0.outcome == .skipped }
        let verdict =
            isGood ? "The \(noun) is good\(isComplete ? "" : ", as far as it was checked")." : "The \(noun) is refused."
        return (lines.map(\.text) + [verdict]).joined(separator: "\n")
    }

    func json() throws -> String {
        struct Whole: Encodable {
            let verified: Bool
            let checks: [Line]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Whole(verified: isGood, checks: lines)), as: UTF8.self)
    }
}
