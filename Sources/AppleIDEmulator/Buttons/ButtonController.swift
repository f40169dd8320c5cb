import HTTPTypes
import Hummingbird
import NIOCore

/// The button as an image, for pages without the script and for mail.
struct ButtonController: Sendable {
    let authority: Authority

    /// `GET /appleid/button`: mark and title in the middle.
    @Sendable func center(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var parameters = try ButtonParameters(request.rawQuery)
        let image = ButtonImage(
            style: try parameters.style(), width: try Self.width(&parameters), height: try Self.height(&parameters),
            title: try parameters.title(), locale: try parameters.locale(), alignment: .center)
        try finish(parameters)
        return Self.image(Array(image.svg.utf8), "image/svg+xml")
    }

    /// `GET /appleid/button/left`: mark and title where they are told to be.
    @Sendable func left(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var parameters = try ButtonParameters(request.rawQuery)
        let width = try Self.width(&parameters)
        let positions = 0...min(182, width / 2)
        let alignment = ButtonImage.Alignment.left(
            logoPosition: try parameters.integer("logo-position", positions, default: 0),
            labelPosition: try parameters.integer("label-position", positions, default: 0),
            logoSize: try parameters.word("logo-size", default: .small))
        let image = ButtonImage(
            style: try parameters.style(), width: width, height: try Self.height(&parameters),
            title: try parameters.title(), locale: try parameters.locale(), alignment: alignment)
        try finish(parameters)
        return Self.image(Array(image.svg.utf8), "image/svg+xml")
    }

    /// `GET /appleid/button/logo`: the mark alone, as PNG.
    @Sendable func logo(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var parameters = try ButtonParameters(request.rawQuery)
        let image = LogoImage(
            style: try parameters.style(), size: try parameters.integer("size", 30...64, default: 30))
        try finish(parameters)
        return Self.image(image.png, "image/png")
    }

    private static func width(_ parameters: inout ButtonParameters) throws(Refusal) -> Int {
        try parameters.integer("width", 130...375, default: 140)
    }

    private static func height(_ parameters: inout ButtonParameters) throws(Refusal) -> Int {
        try parameters.integer("height", 30...64, default: 30)
    }

    private func finish(_ parameters: ButtonParameters) throws(Refusal) {
        guard authority.current.quirks.contains(.buttonRefusesForeignParameters) else { return }
        try parameters.checkNothingIsLeft()
    }

    private static func image(_ bytes: [UInt8], _ type: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-cache", .contentSecurityPolicy: "default-src 'none'",
                .crossOriginResourcePolicy: "cross-origin",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension Request {
    /// What stands behind the question mark, as it was sent.
    fileprivate var rawQuery: Substring {
        let target = head.path ?? ""
        return target.firstIndex(of: "?").map { target[target.index(after: $0)...] } ?? ""
    }
}
