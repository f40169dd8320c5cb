package import AppleID
package import AppleIDTypes
import CommandIO
package import Foundation

/// One examination of a token, with what the person gave to compare it with.
package struct TokenExamination {
    /// The kind of token that is expected. One kind is never good as the other.
    package enum Kind {
        case identityToken(IdentityVerifier, nonce: String?, code: String?, accessToken: String?)
        case notification(NotificationVerifier)
    }

    let token: String
    let kind: Kind
    /// Empty when none was given: then any audience will do, and the line says so.
    let audiences: Set<ClientID>
    let time: Date?

    package init(token: String, kind: Kind, audiences: Set<ClientID>, time: Date?) {
        self.token = token
        self.kind = kind
        self.audiences = audiences
        self.time = time
    }

    package func report() async -> TokenChecks {
        // If no audience is expected, the token's is compared with itself, and the line does not call that a check.
        let stated = audiences.isEmpty ? stated : []
        var checks = await examine(for: audiences.union(stated.map { ClientID($0) }))
        if case .identityToken = kind {
            checks.explain(
                .notAnIdentityToken,
                as: "the token has events: it is a server-to-server notification, which --notification verifies")
        }
        guard audiences.isEmpty else { return checks }
        let names = stated.map { TextForPeople.quoted($0, limit: 80) }.joined(separator: ", ")
        checks.skip("audience", because: "the token is for \(names); no --audience was given to compare with")
        checks.explain(.audienceMismatch, as: "the token is for nobody (aud)")
        return checks
    }

    /// The audiences in the token; none when it can't be read: then other rules say so.
    private var stated: [String] {
        do {
            return try DecodedToken(token).audiences.filter { !$0.isEmpty }
        } catch {
            return []
        }
    }

    private func examine(for audiences: Set<ClientID>) async -> TokenChecks {
        switch kind {
        case .identityToken(let verifier, let nonce, let code, let accessToken):
            TokenChecks(
                await verifier.examine(
                    token,
                    expecting: IdentityExpectation(
                        audiences: audiences, nonce: nonce.map { NonceExpectation.issued($0) },
                        authorizationCode: code.map { .required($0) }, accessToken: accessToken.map { .required($0) },
                        time: time)))
        case .notification(let verifier):
            TokenChecks(
                await verifier.examine(token, expecting: NotificationExpectation(audiences: audiences, time: time)))
        }
    }
}

/// The result of every rule for one token, ready to be printed.
package struct TokenChecks {
    /// A finding without hints, as `--json` prints it.
    private struct Check: Encodable {
        let name: String
        let outcome: Finding.Outcome
        let code: Nullable<String>
        let explanation: String
    }

    private(set) var findings: [Finding]
    package let isGood: Bool

    private let noun: String

    init(_ report: VerificationReport) {
        findings = report.checks.map(Finding.init)
        isGood = report.isVerified
        noun = "token"
    }

    init(_ report: NotificationReport) {
        findings = report.checks.map(Finding.init)
        isGood = report.isVerified
        noun = "notification"
    }

    /// Marks a rule as skipped for lack of a value to compare with, unless it failed.
    mutating func skip(_ name: String, because explanation: String) {
        for index in findings.indices where findings[index].name == name && findings[index].outcome == .passed {
            findings[index].outcome = .skipped
            findings[index].explanation = explanation
        }
    }

    /// Replaces the explanation of a failed rule.
    mutating func explain(_ code: AppleIDError.Code, as explanation: String) {
        for index in findings.indices where findings[index].code == "\(code)" {
            findings[index].explanation = explanation
        }
    }

    /// One line a check, and a last one for the whole.
    package func text() -> String {
        let isComplete = !findings.contains { ["audience", "nonce"].contains($0.name) && $0.outcome == .skipped }
        let verdict =
            isGood ? "The \(noun) is good\(isComplete ? "" : ", as far as it was checked")." : "The \(noun) is refused."
        return (findings.map(\.text) + [verdict]).joined(separator: "\n")
    }

    package func json() throws -> String {
        struct Whole: Encodable {
            let verified: Bool
            let checks: [Check]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        let checks = findings.map {
            Check(name: $0.name, outcome: $0.outcome, code: Nullable($0.code), explanation: $0.explanation)
        }
        return String(decoding: try encoder.encode(Whole(verified: isGood, checks: checks)), as: UTF8.self)
    }
}

extension Finding {
    fileprivate init(_ check: CheckResult) {
        switch check.outcome {
        case .passed: self = .passed(check.name, check.explanation)
        case .skipped: self = .skipped(check.name, check.explanation)
        case .failed(let code): self = .failed(check.name, "\(code)", check.explanation)
        }
    }
}
