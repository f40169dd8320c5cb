import Synchronization

/// A result that one task waits for and another one delivers, once. Later deliveries are dropped.
///
/// Waiting ends with a `CancellationError` as soon as the waiting task is cancelled, whatever the other side does.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case arrived(Result<Value, any Error>)
    }

    private let state = Mutex(State.open)

    /// Makes a result that nobody has delivered yet.
    package init() {}

    /// Delivers the result, unless somebody has done so already.
    /// - Returns: whether this was the first delivery.
    @discardableResult
    package func deliver(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .open:
                state = .arrived(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .arrived(result)
                return (true, continuation)
            case .arrived:
                return (false, nil)
            }
        }
        waiting?.resume(with: result)
        return isFirst
    }

    /// Waits for the result. One task may wait at a time; it may ask again once the result is there.
    package func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early = state.withLock { state -> Result<Value, any Error>? in
                    switch state {
                    case .open:
                        state = .awaited(continuation)
                        return nil
                    case .awaited:
                        return .failure(CancellationError())
                    case .arrived(let result):
                        return result
                    }
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            deliver(.failure(CancellationError()))
        }
    }
}
