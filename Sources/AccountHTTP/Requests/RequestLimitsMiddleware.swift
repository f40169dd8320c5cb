import AccountAPI
import Dispatch
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import TaskSignals

/// Takes the whole body of every request off the connection, within its limits, before anything looks at the request.
///
/// So no route can forget a limit, a body that nobody asked for does no harm, and a refusal is answered on a connection
/// whose client has been heard to the end: one that is still sending would not read the answer. The part above the
/// limit is read and dropped, for as long as a good body may take.
struct RequestLimitsMiddleware: RouterMiddleware {
    private let limits: HTTPLimits
    private let deadlines: BodyDeadlines

    init(limits: HTTPLimits) {
        self.limits = limits
        deadlines = BodyDeadlines(limit: limits.bodyTimeout)
    }

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        var request = request
        if request.announcesBody {
            request.body = RequestBody(buffer: try await receive(request))
        }
        guard (request.head.path?.utf8.count ?? 0) <= limits.maximumURIBytes else {
            throw HTTPFailure(.uriTooLong, "Path and query are longer than \(limits.maximumURIBytes) bytes.")
        }
        return try await next(request, context)
    }

    private enum Outcome {
        case complete(ByteBuffer)
        case tooLarge
        case tooSlow
    }

    private func receive(_ request: Request) async throws -> ByteBuffer {
        let announced = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        let limit = limits.maximumBodyBytes
        let body = request.body
        // A task of its own, because ending it at the deadline must not end the request, which still gets its answer.
        let reading = Task { try await Self.read(body, upTo: limit, isTooLarge: announced > limit) }
        let deadline = deadlines.begin { reading.cancel() }
        defer { deadlines.end(deadline) }
        let outcome = try await withTaskCancellationHandler {
            try await reading.value
        } onCancel: {
            reading.cancel()
        }
        switch outcome {
        case .complete(let buffer):
            return buffer
        case .tooLarge:
            throw HTTPFailure(.bodyTooLarge, "The body is larger than \(limit) bytes.")
        case .tooSlow:
            // The rest of the body comes next on this connection, if anything does: Hummingbird ends the connection.
            throw HTTPFailure(.requestTimeout, "The body did not arrive in time.", headers: [.connection: "close"])
        }
    }

    private static func read(_ body: RequestBody, upTo limit: Int, isTooLarge: Bool) async throws -> Outcome {
        var isTooLarge = isTooLarge
        var collected = ByteBuffer()
        do {
            for try await var part in body where !isTooLarge {
                if collected.readableBytes + part.readableBytes > limit {
                    isTooLarge = true
                    collected = ByteBuffer()
                } else if collected.readableBytes == 0 {
                    collected = part
                } else {
                    collected.writeBuffer(&part)
                }
            }
        } catch let error as HTTPParserError {
            throw error
        } catch  where !Task.isCancelled {
            throw HTTPFailure(.badRequest, "The connection ended within the body.", cause: error)
        } catch {
            // The deadline: answered below.
        }
        if isTooLarge { return .tooLarge }
        return Task.isCancelled ? .tooSlow : .complete(collected)
    }
}

extension Request {
    fileprivate var announcesBody: Bool {
        headers[.transferEncoding] != nil || headers[.contentLength].map { $0 != "0" } ?? false
    }
}

/// Ends the reading of bodies that take too long: one clock for all that are under way.
///
/// A timer for each would wake an event loop twice a request, for something that hardly ever happens. So a deadline is
/// met up to a tenth of the limit late; nothing runs while no body is being read.
final class BodyDeadlines: Sendable {
    private struct State {
        var nextNumber: UInt64 = 0
        var readings: [UInt64: Reading] = [:]
        var isWatching = false
    }

    private struct Reading {
        let deadline: ContinuousClock.Instant
        let cancel: @Sendable () -> Void
    }

    private let limit: Duration
    private let state = Lock(State())

    init(limit: Duration) {
        self.limit = limit
    }

    /// - Parameter cancel: called once the limit is over, unless ``end(_:)`` was called before.
    /// - Returns: what to call ``end(_:)`` with.
    func begin(_ cancel: @escaping @Sendable () -> Void) -> UInt64 {
        let (number, isFirst) = state.withLock { state in
            let number = state.nextNumber
            state.nextNumber += 1
            state.readings[number] = Reading(deadline: .now + limit, cancel: cancel)
            defer { state.isWatching = true }
            return (number, !state.isWatching)
        }
        if isFirst { watch() }
        return number
    }

    func end(_ number: UInt64) {
        state.withLock { _ = $0.readings.removeValue(forKey: number) }
    }

    /// Looks for late bodies after a tenth of the limit. A timer does it, so that nothing of the first request is kept.
    private func watch() {
        let tenth = DispatchTimeInterval.nanoseconds(Int(limit / 10 / .nanoseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: .now() + tenth) {
            if self.cancelLate() { self.watch() }
        }
    }

    /// - Returns: whether any reading is left.
    private func cancelLate() -> Bool {
        let (late, isLeft) = state.withLock { state in
            let now = ContinuousClock.now
            let late = state.readings.filter { $0.value.deadline <= now }
            for number in late.keys { state.readings[number] = nil }
            state.isWatching = !state.readings.isEmpty
            return (late.values, state.isWatching)
        }
        late.forEach { $0.cancel() }
        return isLeft
    }
}
