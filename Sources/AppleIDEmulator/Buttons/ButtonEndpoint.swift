import AppleIDTypes
import HTTPTypes
import Hummingbird
import NIOCore

/// The button as an image, for pages without the script and for mail.
struct ButtonEndpoint: Sendable {
    let core: EmulatorCore

    /// `GET /appleid/button`: mark and title in the middle.
    @Sendable func center(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var parameters = try ButtonParameters(request.rawQuery)
        let image = ButtonImage(
            style: try parameters.style(), width: try Self.width(&parameters), height: try Self.height(&parameters),
            title: try parameters.title(), locale: try parameters.locale(), alignment: .center)
        try finish(parameters)
        return Self.image(Array(image.svg.utf8), "image/svg+xml")
    }

    /// `GET /appleid/button/left`: mark and title at the positions that the query names.
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
        guard core.current.behaviour.buttonsRefuseForeignParameters else { return }
        try parameters.checkAllWereRead()
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

/// The query of an image's address, taken apart one parameter after the other within Apple's limits.
///
/// Apple answers 404 to every fault in it. So every refusal here becomes a 404.
struct ButtonParameters {
    private let fields: FormFields
    private var known: Set<String> = []
    private let names: Set<String>

    init(_ query: Substring) throws(Refusal) {
        do throws(Refusal) {
            fields = try FormFields(Array(query.utf8), plus: .plus)
        } catch {
            throw Self.refused(error.description)
        }
        names = Set(
            query.split(separator: "&").map { pair in String(pair.prefix { $0 != "=" }) })
    }

    mutating func integer(_ name: String, _ range: ClosedRange<Int>, default standard: Int) throws(Refusal) -> Int {
        guard let text = take(name) else { return standard }
        guard text.utf8.count <= 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text),
            range.contains(value)
        else { throw Self.refused("\(name) must be \(range.lowerBound) to \(range.upperBound)") }
        return value
    }

    mutating func bool(_ name: String) throws(Refusal) -> Bool {
        switch take(name) {
        case nil, "false": return false
        case "true": return true
        default: throw Self.refused("\(name) must be true or false")
        }
    }

    mutating func word<Word: RawRepresentable>(
        _ name: String, default standard: Word
    ) throws(Refusal) -> Word where Word.RawValue == String {
        guard let text = take(name) else { return standard }
        guard let word = Word(rawValue: text) else { throw Self.refused("\(name) is none of Apple’s words") }
        return word
    }

    mutating func style() throws(Refusal) -> ButtonStyle {
        ButtonStyle(
            color: try word("color", default: .black), hasBorder: try bool("border"),
            cornerRadius: try integer("border_radius", 0...50, default: 15),
            scale: try integer("scale", 1...6, default: 1))
    }

    mutating func locale() throws(Refusal) -> ButtonLocale {
        guard let text = take("locale") else { return .standard }
        guard let locale = ButtonLocale(rawValue: text) else { throw Self.refused("locale is none of Apple's") }
        return locale
    }

    /// Reads the title. Only Apple's script has `sign-up`.
    mutating func title() throws(Refusal) -> ButtonTitle {
        let title = try word("type", default: ButtonTitle.signIn)
        guard title != .signUp else { throw Self.refused("type must be sign-in or continue") }
        return title
    }

    func checkAllWereRead() throws(Refusal) {
        guard names.isSubset(of: known) else { throw Self.refused("a parameter is not one of this image’s") }
    }

    /// A parameter that is there and empty is wrong, not absent.
    private mutating func take(_ name: String) -> String? {
        known.insert(name)
        return fields.verbatim(name)
    }

    static func refused(_ reason: String) -> Refusal {
        Refusal(.notFound, "There is no such button: \(reason).")
    }
}
