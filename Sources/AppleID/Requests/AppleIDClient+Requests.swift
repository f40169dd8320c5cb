import AppleIDTransport
import CoreMetrics
import Logging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension AppleIDClient {
    /// Sends a request. If that is safe, it repeats the request until there is a response or the retry policy ends.
    ///
    /// It returns a response of any status, after the last attempt also one with a 5xx status. The caller decides what
    /// it means.
    /// - Throws: ``AppleIDError/Code/appleUnavailable``.
    func send(_ request: AppleRequest, for call: AppleCall) async throws(AppleIDError) -> AppleResponse {
        let start = environment.now()
        var attempts = 0
        while true {
            attempts += 1
            let result = await attempt(request)
            if case .success(let response) = result, response.status < 500 { return response }
            guard call.isRepeatable, !Task.isCancelled,
                let delay = retries.delay(
                    after: attempts, elapsed: .seconds(environment.now().timeIntervalSince(start)),
                    random: environment.randomNumber())
            else { return try result.get() }
            instrumentation.countRepetition(of: call)
            logger.debug("asking Apple again", metadata: ["call": "\(call.rawValue)", "attempts": "\(attempts)"])
            do {
                try await environment.sleep(delay)
            } catch {
                throw AppleIDError(.appleUnavailable, "the wait before asking Apple again was broken off", cause: error)
            }
        }
    }

    private func attempt(_ request: AppleRequest) async -> Result<AppleResponse, AppleIDError> {
        do {
            return .success(try await transport.send(request))
        } catch {
            return .failure(AppleIDError(.appleUnavailable, "the request to Apple was not answered", cause: error))
        }
    }
}

extension AppleIDInstrumentation {
    /// Counts and times a call to Apple, and puts a span around it.
    func call<Answer, Failure: CodedError>(
        _ call: AppleCall, _ body: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        try await measure(
            CallNames(
                span: "apple_id.\(call.rawValue)", outcomeAttribute: "apple_id.outcome",
                timer: "apple_id.call.duration", counter: "apple_id.calls", dimensions: [("call", call.rawValue)]),
            body)
    }

    /// Counts a request that is sent once more.
    func countRepetition(of call: AppleCall) {
        Counter(label: "apple_id.repetitions", dimensions: [("call", call.rawValue)], factory: metrics).increment()
    }
}
