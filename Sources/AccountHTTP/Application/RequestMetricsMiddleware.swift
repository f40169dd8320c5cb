import CoreMetrics
import HTTPTypes
import Hummingbird
import TaskSignals

/// Counts requests, and times them, by route.
///
/// No label comes from a client: a path that no route takes is `none`, a method that none knows `other`. So there are
/// only so many series, and each is asked for once. The time ends when the answer's head is there: what a stream sends
/// later, for up to an hour, and how fast a client reads are not in it.
struct RequestMetricsMiddleware: RouterMiddleware {
    private let series: Series

    /// - Parameter factory: Gets `accounts.requests` and `accounts.request.duration`.
    init(factory: any MetricsFactory) { series = Series(factory: factory) }

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await next(request, context)
            count(request, context, response.status.kind, since: start)
            return response
        } catch {
            // A body that is no HTTP: Hummingbird answers 400 by itself. Everything else is an answer already.
            count(request, context, .clientError, since: start)
            throw error
        }
    }

    private func count(
        _ request: Request, _ context: ServiceContext, _ kind: HTTPResponse.Status.Kind,
        since start: ContinuousClock.Instant
    ) {
        let elapsed = (ContinuousClock.now - start).components
        series.count(
            Key(route: context.endpointPath ?? "none", method: Method(request.method), status: kind),
            nanoseconds: elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000)
    }

    private enum Method: String {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
        case other

        init(_ method: HTTPRequest.Method) {
            switch method {
            case .get: self = .get
            case .head: self = .head
            case .post: self = .post
            case .patch: self = .patch
            case .delete: self = .delete
            default: self = .other
            }
        }
    }

    private struct Key: Hashable {
        let route: String
        let method: Method
        let status: HTTPResponse.Status.Kind
    }

    /// A class, because a lock cannot be copied.
    private final class Series: Sendable {
        private let factory: any MetricsFactory
        private let known = Lock(Known())

        private struct Known {
            var pairs: [Key: (counter: Counter, timer: CoreMetrics.Timer)] = [:]
            /// The timers by method and route. They hold all statuses, because the counters tell these apart.
            var timers: [[String]: CoreMetrics.Timer] = [:]
        }

        init(factory: any MetricsFactory) { self.factory = factory }

        func count(_ key: Key, nanoseconds: Int64) {
            let (counter, timer) = known.withLock { known in
                if let pair = known.pairs[key] { return pair }
                let names = [key.method.rawValue, key.route]
                let dimensions = [("method", names[0]), ("route", names[1])]
                let timer =
                    known.timers[names]
                    ?? CoreMetrics.Timer(
                        label: "accounts.request.duration", dimensions: dimensions, factory: factory)
                known.timers[names] = timer
                let counter = Counter(
                    label: "accounts.requests", dimensions: dimensions + [("status", Self.word(key.status))],
                    factory: factory)
                known.pairs[key] = (counter, timer)
                return (counter, timer)
            }
            counter.increment()
            timer.recordNanoseconds(nanoseconds)
        }

        private static func word(_ kind: HTTPResponse.Status.Kind) -> String {
            switch kind {
            case .informational: "1xx"
            case .successful: "2xx"
            case .redirection: "3xx"
            case .clientError: "4xx"
            case .serverError, .invalid: "5xx"
            }
        }
    }
}
