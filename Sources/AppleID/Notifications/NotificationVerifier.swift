public import AppleIDTransport
import AppleIDTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A verifier of Apple's server-to-server notifications.
public struct NotificationVerifier: Sendable {
    private let keys: KeyCache
    private let issuers: AcceptedIssuers
    private let environment: AppleIDEnvironment
    private let counter: VerificationCounter
    /// Nil for a verifier that an ``AppleIDClient`` did not make.
    private let watch: AppleWatch?

    /// Creates a verifier for a server that receives notifications and does nothing else with Apple.
    ///
    /// An ``AppleIDClient`` has a verifier already.
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
    /// Answer Apple with status 200 once you have stored the notification, also if you don't know its type or it was
    /// delivered before. Answer with a 4xx if this throws an error of kind ``AppleIDError/Kind/token``. Answer with a
    /// 5xx if it throws an error of kind ``AppleIDError/Kind/transient``, so that Apple sends the notification again.
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
    /// A notification may come more than once, and is good each time. To act once, store it in one step, with a unique
    /// ``VerifiedNotification/id``. If your server stores nothing but a ``ReplayMemory``, insert the
    /// ``ReplayIdentifier`` *after* you have acted: Apple doesn't send again what you inserted and then lost.
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

    /// Applies every rule that can be applied and reports what each found.
    ///
    /// It is slow and for people. Logs get the code of an error.
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
