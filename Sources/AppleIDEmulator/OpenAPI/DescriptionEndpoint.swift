import CEmulatorDescription
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /emulator/openapi.json`: the description of the calls, the same file as in the documentation.
struct DescriptionEndpoint: Sendable {
    private let text: ByteBuffer

    init() {
        // The bytes are constant data of the program, so many and no fewer, and are copied here.
        text = unsafe ByteBuffer(
            bytes: UnsafeBufferPointer(start: emulator_description(), count: emulator_description_size))
    }

    // It holds no secret. It is a control call, and is guarded like the others.
    @Sendable func description(_ request: Request, _ context: EmulatorContext) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json;charset=UTF-8", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: text))
    }
}
