import AppleIDTypes
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /emulator-root.pem`: the certificate that clients must trust when the emulator has made its own.
struct RootCertificateController: Sendable {
    let authority: Authority

    @Sendable func root(_ request: Request, _ context: EmulatorContext) throws -> Response {
        guard let root = authority.configuration.rootCertificate else {
            throw Refusal(.notFound, "The emulator has no certificate authority of its own.")
        }
        return Response(
            status: .ok, headers: [.contentType: "application/x-pem-file", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: root)))
    }
}
