import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The body of an answer while it comes in.
final class Received: Sendable {
    private let body = Mutex(Data())

    /// - Returns: false when it would be more than allowed.
    func append(_ data: Data, limit: Int) -> Bool {
        body.withLock { body in
            guard body.count + data.count <= limit else { return false }
            body.append(data)
            return true
        }
    }

    func answer(to response: HTTPURLResponse) -> ServiceAnswer {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        return ServiceAnswer(status: response.statusCode, headers: headers, body: body.withLock { $0 })
    }
}
