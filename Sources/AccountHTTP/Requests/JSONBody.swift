import Hummingbird
import NIOCore
import StrictJSON

/// Reads requests that are JSON.
struct JSONBody: Sendable {
    private let maximumBytes: Int
    private let decoder: StrictJSONDecoder

    init(limits: HTTPLimits) {
        maximumBytes = limits.maximumBodyBytes
        decoder = StrictJSONDecoder(limits: JSONLimits(maximumBytes: limits.maximumBodyBytes))
    }

    /// Throws ``HTTPFailure`` for another content type, `StrictJSONError` for what is not JSON and `DecodingError` for
    /// JSON of another shape.
    func decode<Value: Decodable>(_ type: Value.Type, from request: Request) async throws -> Value {
        try ContentType.json.require(in: request)
        let buffer = try await request.body.collect(upTo: maximumBytes)
        return try decoder.decode(type, from: Array(buffer.readableBytesView))
    }
}
