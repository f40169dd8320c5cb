public import AppleIDTypes

/// Every rule's result for one token, for people. What decides is ``IdentityVerifier/verify(_:expecting:)``, by the
/// same rules.
public struct VerificationReport: Sendable {
    /// In the order in which a verification applies them.
    public let checks: [CheckResult]
    /// What the token claims, as far as it can be read. Not to be believed unless ``isVerified``.
    public let claims: IdentityTokenClaims?
    /// Absent unless every rule passed.
    public let identity: VerifiedIdentity?

    /// Whether every rule passed or had nothing to look at.
    public var isVerified: Bool { identity != nil }

    /// The code that a verification would throw.
    public var failure: AppleIDError.Code? {
        for check in checks {
            if case .failed(let code) = check.outcome { return code }
        }
        return nil
    }
}
