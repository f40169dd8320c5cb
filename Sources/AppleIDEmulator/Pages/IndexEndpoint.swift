import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /`: a page about the emulator.
struct IndexEndpoint: Sendable {
    let core: EmulatorCore
    let pages: Pages

    @Sendable func index(_ request: Request, _ context: EmulatorContext) -> Response {
        .page(pages.index(core.portal))
    }
}

/// `/assets`: the files that pages refer to. They are code of ours, the same for everybody.
struct AssetEndpoint: Sendable {
    let pages: Pages

    @Sendable func stylesheet(_ request: Request, _ context: EmulatorContext) -> Response {
        Self.file(pages.stylesheet, "text/css; charset=utf-8")
    }

    @Sendable func deliveryScript(_ request: Request, _ context: EmulatorContext) -> Response {
        Self.file(pages.deliveryScript, "text/javascript; charset=utf-8")
    }

    @Sendable func icon(_ request: Request, _ context: EmulatorContext) -> Response {
        Self.file(pages.icon, "image/svg+xml")
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
