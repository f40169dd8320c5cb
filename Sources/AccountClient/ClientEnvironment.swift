import AccountConnection
import Foundation
import TaskSignals

/// The clocks, the random numbers and the parts of the system that a client uses, which tests replace.
package struct ClientEnvironment: Sendable {
    /// The time on a clock that goes on while the machine sleeps.
    package var now: @Sendable () -> ContinuousClock.Instant
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Makes the given number of unguessable bytes.
    package var randomBytes: @Sendable (_ count: Int) -> [UInt8]
    /// The calendar's time, for what outlives the process.
    package var date: @Sendable () -> Date
    /// Tells the process that a person has stopped using the app with their Apple Account.
    package var appleAccessEnded: @Sendable () -> Void
    /// The languages in which the person reads: BCP 47 tags, the best first.
    package var languages: @Sendable () -> [String]

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8],
        date: @escaping @Sendable () -> Date = { Date() },
        appleAccessEnded: @escaping @Sendable () -> Void = CredentialRevocation.post,
        languages: @escaping @Sendable () -> [String] = { SystemLanguages.preferred }
    ) {
        self.now = now
        self.sleep = sleep
        self.randomBytes = randomBytes
        self.date = date
        self.appleAccessEnded = appleAccessEnded
        self.languages = languages
    }

    package static let system = Self(
        now: { ContinuousClock.now },
        sleep: { try await Task.sleep(for: $0) },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        })
}

extension ClientEnvironment {
    /// The time now, and an attempt identifier for an event of the session's machine.
    var moment: Moment {
        Moment(instant: now(), secondsSince1970: secondsSince1970, attempt: makeAttempt())
    }

    /// The calendar's time in whole seconds.
    var secondsSince1970: Int64 { Int64(date().timeIntervalSince1970) }

    /// Makes an identifier for an attempt to refresh a session.
    func makeAttempt() -> String { randomText(byteCount: 16) }

    /// Makes base64url text without padding from the given number of random bytes.
    func randomText(byteCount: Int) -> String { Data(randomBytes(byteCount)).base64URL }

    /// A byte that varies a pause.
    var randomByte: UInt8 { randomBytes(1).first ?? 0 }

    /// Makes a call, and repeats it after transient failures.
    /// - Parameters:
    ///   - attempts: the maximum number of calls.
    ///   - isFinal: whether a repeat is of no use after a failure.
    func retries<Value: Sendable>(
        _ attempts: Int, unless isFinal: (ServiceError) -> Bool = { _ in false },
        _ work: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        try await Retries(attempts: attempts, sleep: sleep, randomByte: { randomByte })
            .run(unless: isFinal, work)
    }

    /// Makes a call as ``retries(_:unless:_:)`` does, and notes whether an answer may have been lost.
    /// - Parameter isUncertain: becomes true if the service may have carried out a call whose answer was lost.
    func retries<Value: Sendable>(
        _ attempts: Int, noting isUncertain: inout Bool, _ work: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        try await retries(attempts) { () async throws(ServiceError) -> Value in
            do throws(ServiceError) {
                return try await work()
            } catch {
                if error.mayHaveLostAnswer { isUncertain = true }
                throw error
            }
        }
    }

    /// Does work with a time limit. When the time is over, this cancels the work, and doesn't wait for its end.
    ///
    /// Throws `backendUnavailable` when the time is over, and `cancelled` when the caller is cancelled.
    func withDeadline<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws(AccountClientError) -> Value
    ) async throws(AccountClientError) -> Value {
        let result = OneShot<Value>()
        let working = Task {
            do throws(AccountClientError) {
                result.deliver(.success(try await work()))
            } catch {
                result.deliver(.failure(error))
            }
        }
        defer { working.cancel() }
        let late = AccountClientError(
            .backendUnavailable, "the account service did not answer within \(limit)",
            hint: "Look at the network and the backend's URL.")
        do {
            return try await result.value(within: limit, sleep: sleep, otherwise: .failure(late))
        } catch {
            // The work's own error, or the caller's cancellation.
            throw error as? AccountClientError ?? AccountClientError(.cancelled, "the caller was cancelled")
        }
    }
}
