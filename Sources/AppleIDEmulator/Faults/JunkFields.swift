import Hummingbird
import NIOCore

/// Members that nobody expects, and a key of a kind that nobody knows.
enum JunkFields {
    private static let members = #""junk":{"list":[1,null,"x"],"flag":false},"email_verified":"perhaps""#
    private static let key = #"{"kty":"JUNK","kid":"JUNK000000","use":"sig","alg":"JUNK256","j":"AA"}"#

    /// - Parameter response: JSON, one object.
    static func added(to response: Response) async throws -> Response {
        let collector = BodyCollector()
        try await response.body.write(collector)
        var text = String(decoding: collector.bytes, as: UTF8.self)
        if let keys = text.firstRange(of: #""keys":["#) { text.insert(contentsOf: key + ",", at: keys.upperBound) }
        if let brace = text.lastIndex(of: "}"), text.contains(":") { text.insert(contentsOf: "," + members, at: brace) }
        var spoilt = response
        spoilt.body = ResponseBody(byteBuffer: ByteBuffer(string: text))
        return spoilt
    }
}
