public import AppleIDTypes

/// The results of all rules for one identity token, for people.
///
/// Decide by ``IdentityVerifier/verify(_:expecting:)``, which applies the same rules.
public struct VerificationReport: Sendable {
    /// The results, in the order in which a verification applies the rules.
    public let checks: [CheckResult]
    /// The token's claims, as far as they can be read. Believe them only if ``isVerified``.
    public let claims: IdentityTokenClaims?
    /// The verified identity; absent unless every rule passed.
    public let identity: VerifiedIdentity?

    /// Whether every rule passed or had nothing to check.
    public var isVerified: Bool { identity != nil }

    /// The code that a verification would throw.
    public var failure: AppleIDError.Code? {
        for check in checks {
            if case .failed(let code) = check.outcome { return code }
        }
        return nil
    }
}

/// The results of all rules for one notification, for people.
///
/// Decide by ``NotificationVerifier/verify(_:expecting:)``, which applies the same rules.
public struct NotificationReport: Sendable {
    /// The results, in the order in which a verification applies the rules.
    public let checks: [CheckResult]
    /// The verified notification; absent unless every rule passed.
    public let notification: VerifiedNotification?

    /// Whether every rule passed or had nothing to check.
    public var isVerified: Bool { notification != nil }

    /// The code that a verification would throw.
    public var failure: AppleIDError.Code? {
        for check in checks {
            if case .failed(let code) = check.outcome { return code }
        }
        return nil
    }
}

/// The result of one rule for a token.
public struct CheckResult: Sendable {
    /// The outcome of a rule.
    @nonexhaustive
    public enum Outcome: Hashable, Sendable {
        /// The token complies with the rule.
        case passed
        /// The token breaks the rule. A verification would have ended here, with this code.
        case failed(AppleIDError.Code)
        /// The rule had nothing to compare with, or an earlier failure left nothing to check.
        case skipped
    }

    /// The rule's name in a word or two, such as `signature` or `audience`.
    public let name: String
    /// The outcome, which decides, unlike the words.
    public let outcome: Outcome
    /// One sentence for people, without full stop; never holds the token or a part of it that is a secret.
    public let explanation: String
}
