import AppleIDTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Verifies Apple's server-to-server notifications.
public struct NotificationVerifier: Sendable {
    private let keys: KeyCache
    private let environment: AppleIDEnvironment

    public init(keys: KeyCache, environment: AppleIDEnvironment = .live) {
        self.keys = keys
        self.environment = environment
    }

    /// Applies every rule in order and stops at the first that fails.
    /// - Parameter payload: the JSON Web Signature in the member `payload` of Apple's request.
    /// - Throws: the failed rule's code, of kind ``AppleIDError/Kind/token``; or ``AppleIDError/Code/keysUnavailable``,
    ///   which says nothing about the notification.
    public func verify(
        _ payload: String, expecting expectation: NotificationExpectation
    ) async throws(AppleIDError) -> VerifiedNotification {
        let now = (expectation.time ?? environment.now()).wholeSeconds
        var evidence = Evidence(
            token: payload, expectation: Evidence.Expectation(audiences: expectation.audiences, now: now))
        try await Verification.ofNotifications.verify(&evidence, keys: keys)
        guard evidence.digest != nil, let claims = evidence.claims, let id = claims.identifier.lenient,
            let audience = evidence.audience, let issuedAt = claims.issuedAt.lenient, let event = evidence.event
        else {
            throw AppleIDError(.malformedToken, "a rule left out what it should have found")
        }
        return VerifiedNotification(
            id: id, audience: ClientID(audience), issuedAt: issuedAt, expiresAt: claims.expiresAt.lenient, event: event)
    }
}
