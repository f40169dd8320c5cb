import AppleIDTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Verifies Apple's server-to-server notifications.
public struct NotificationVerifier: Sendable {
    private let keys: KeyCache
    private let issuers: AcceptedIssuers
    private let environment: AppleIDEnvironment
    private let counter: VerificationCounter
    /// Nil for a verifier that an ``AppleIDClient`` did not make.
    private let watch: AppleWatch?

    /// Made by ``AppleIDClient`` too; by itself for a server that receives notifications and does nothing else with
    /// Apple.
    public init(
        keys: KeyCache, issuers: AcceptedIssuers = .apple, environment: AppleIDEnvironment = .live,
        instrumentation: AppleIDInstrumentation = .system
    ) {
        self.init(
            keys: keys, issuers: issuers, environment: environment, instrumentation: instrumentation, watch: nil)
    }

    init(
        keys: KeyCache, issuers: AcceptedIssuers, environment: AppleIDEnvironment,
        instrumentation: AppleIDInstrumentation, watch: AppleWatch?
    ) {
        self.keys = keys
        self.issuers = issuers
        self.environment = environment
        self.watch = watch
        counter = VerificationCounter(kind: "notification", instrumentation: instrumentation)
    }

    /// Reads the body of Apple's request, then applies every rule in order and stops at the first that fails.
    ///
    /// Apple is answered with status 200 once the notification is kept, also for a type that nobody knows and for one
    /// that was delivered before; with a 4xx when this throws an error of kind ``AppleIDError/Kind/token``; with a 5xx,
    /// so that it comes again, when it throws one of kind ``AppleIDError/Kind/transient``.
    /// - Parameter body: a JSON object with the member `payload`. Read at most 64 KB of a request.
    /// - Throws: ``AppleIDError/Code/malformedToken`` for another body; and what ``verify(_:expecting:)`` throws.
    public func verify(
        body: [UInt8], expecting expectation: NotificationExpectation
    ) async throws(AppleIDError) -> VerifiedNotification {
        let payload: String
        do throws(AppleIDError) {
            payload = try NotificationBody(body).payload
        } catch {
            counter.count(error)
            throw error
        }
        return try await verify(payload, expecting: expectation)
    }

    /// Applies every rule in order and stops at the first that fails.
    ///
    /// A notification may come more than once, and is good each time. To act once, make its ``VerifiedNotification/id``
    /// unique where it is kept, and keep it in one step; whoever keeps nothing but a ``ReplayMemory`` notes
    /// ``ReplayIdentifier`` there *after* having acted, since one that is noted and then lost does not come again.
    /// - Parameter payload: the JSON Web Signature in the member `payload` of Apple's request.
    /// - Throws: the failed rule's code, of kind ``AppleIDError/Kind/token``; or ``AppleIDError/Code/keysUnavailable``,
    ///   which says nothing about the notification.
    public func verify(
        _ payload: String, expecting expectation: NotificationExpectation
    ) async throws(AppleIDError) -> VerifiedNotification {
        try await counter.counting { () async throws(AppleIDError) in
            try await applyRules(to: payload, expecting: expectation)
        }
    }

    /// Applies every rule that can be applied and says what each found. Slow, for people; logs get the code of an
    /// error.
    public func examine(_ payload: String, expecting expectation: NotificationExpectation) async -> NotificationReport {
        var evidence = evidence(of: payload, expecting: expectation)
        let checks = await Verification.examine(&evidence, keys: keys, rules: NotificationRules.self)
        let hasFailure = checks.contains { if case .failed = $0.outcome { true } else { false } }
        return NotificationReport(checks: checks, notification: hasFailure ? nil : notification(in: evidence))
    }

    private func applyRules(
        to payload: String, expecting expectation: NotificationExpectation
    ) async throws(AppleIDError) -> VerifiedNotification {
        var evidence = evidence(of: payload, expecting: expectation)
        do throws(AppleIDError) {
            if let id = try Verification.verify(&evidence, keys: keys, rules: NotificationRules.self) {
                evidence.key = try await keys.key(id)
                _ = try Verification.verify(&evidence, keys: keys, rules: NotificationRules.self)
            }
        } catch {
            throw watch?.explain(error) ?? error
        }
        guard let notification = notification(in: evidence) else {
            throw AppleIDError(.malformedToken, "a rule left out what it should have found")
        }
        return notification
    }

    private func evidence(of payload: String, expecting expectation: NotificationExpectation) -> Evidence {
        let now = (expectation.time ?? environment.now()).wholeSeconds
        return Evidence(
            token: payload,
            expectation: Evidence.Expectation(issuers: issuers, audiences: expectation.audiences, now: now))
    }

    private func notification(in evidence: borrowing Evidence) -> VerifiedNotification? {
        guard evidence.digest != nil, let claims = evidence.claims, let id = claims.identifier.lenient,
            let audience = evidence.audience, let issuedAt = claims.issuedAt.lenient, let event = evidence.event
        else { return nil }
        return VerifiedNotification(
            id: id, audience: ClientID(audience), issuedAt: issuedAt, expiresAt: claims.expiresAt.lenient, event: event)
    }
}
