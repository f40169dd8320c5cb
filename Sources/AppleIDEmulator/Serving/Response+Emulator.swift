import HTTPTypes
import Hummingbird
import NIOCore
import TaskSignals

extension Response {
    /// JSON as Apple labels it.
    static func json(_ members: [(String, JSONText?)], status: HTTPResponse.Status = .ok) -> Response {
        .json(text: JSONText.object(members).text, status: status)
    }

    static func json(text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json;charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// JSON with the headers that Apple's token endpoint puts on every answer.
    static func uncachedJSON(_ json: JSONText, status: HTTPResponse.Status = .ok) -> Response {
        var response = Response.json(text: json.text, status: status)
        response.headers[.cacheControl] = "no-store"
        response.headers[.pragma] = "no-cache"
        return response
    }
}

extension HTTPField.Name {
    // Each is a token by the look of it, and only that can make the initialiser fail.
    static let dnsPrefetchControl = Self("x-dns-prefetch-control")!
    /// The header with the emulator's reason for a refusal, which Apple's response doesn't say.
    static let emulatorReason = Self("siwa-emulator-reason")!
    static let pragma = Self("pragma")!
    static let referrerPolicy = Self("referrer-policy")!
    static let secFetchSite = Self("sec-fetch-site")!
}

/// Collects a response's body if there is no connection to write it to.
final class BodyCollector: ResponseBodyWriter, Sendable {
    private let collected = Lock<[UInt8]>([])

    var bytes: [UInt8] { collected.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        collected.withLock { $0.append(contentsOf: buffer.readableBytesView) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
