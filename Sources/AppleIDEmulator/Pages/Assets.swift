import HTTPTypes
import Hummingbird
import NIOCore

/// The files that pages refer to. They are code of ours, the same for everybody.
enum Assets {
    @Sendable static func stylesheet(_ request: Request, _ context: EmulatorContext) -> Response {
        file(stylesheetBytes, "text/css; charset=utf-8")
    }

    /// Made once: all responses share its bytes.
    private static let stylesheetBytes = ByteBuffer(string: Stylesheet.text + InboxStylesheet.text)

    @Sendable static func deliveryScript(_ request: Request, _ context: EmulatorContext) -> Response {
        file("document.getElementById(\"delivery\").submit();\n", "text/javascript; charset=utf-8")
    }

    @Sendable static func icon(_ request: Request, _ context: EmulatorContext) -> Response {
        let image = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#b45309"/>\
            <path d="M9 17h14M17 11l6 6-6 6" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" \
            stroke-linejoin="round"/></svg>

            """
        return file(image, "image/svg+xml")
    }

    static func file(_ text: String, _ type: String) -> Response { file(ByteBuffer(string: text), type) }

    private static func file(_ bytes: ByteBuffer, _ type: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: bytes)
        )
    }
}
