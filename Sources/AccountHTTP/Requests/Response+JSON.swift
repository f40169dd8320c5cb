import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

extension Response {
    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], json value: some Encodable) throws {
        self.init(status: status, headers: headers, jsonText: try StrictJSONEncoder().encode(value))
    }

    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], json value: some Encodable & JSONWritable) {
        self.init(status: status, headers: headers, jsonText: JSONText.bytes(of: value))
    }

    private init(status: HTTPResponse.Status, headers: HTTPFields, jsonText: [UInt8]) {
        var headers = headers
        headers[.contentType] = "application/json"
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: jsonText)))
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
