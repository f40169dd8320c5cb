import HTTPTypes
import Hummingbird
import NIOCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Response {
    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], json value: some Encodable) throws {
        let data = try JSONEncoder.forAnswers().encode(value)
        var headers = headers
        headers[.contentType] = "application/json"
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// - Parameter policy: In place of ``ContentSecurityPolicy/standard``.
    init(
        status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], page: String, policy: ContentSecurityPolicy? = nil
    ) {
        var headers = headers
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = policy?.text
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }

    /// Sends a browser on with a GET.
    init(seeOther location: String, cookie: String? = nil) {
        self.init(status: .seeOther, headers: [.location: location])
        if let cookie {
            headers[.setCookie] = cookie
        }
    }
}
