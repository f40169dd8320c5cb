import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Sign in with Apple JS, at the path where Apple's own is.
struct ScriptController: Sendable {
    let authority: Authority

    /// `GET /appleauth/static/jsapi/appleid/1/{locale}/appleid.auth.js`: the same for every page, but for the language.
    @Sendable func script(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        guard let locale = context.parameters.get("locale").flatMap({ ButtonLocale(rawValue: $0) }) else {
            throw Refusal(.notFound, "The script is not there in this language.")
        }
        let titles: [(String, JSONText?)] = ButtonTitle.allCases.map { ($0.rawValue, .string(locale.text($0))) }
        let settings = JSONText.object([
            ("language", .string(locale.language)), ("direction", .string(locale.isRightToLeft ? "rtl" : "ltr")),
            ("titles", .object(titles)), ("mark", .string(ButtonMark.path)),
            ("detailInData", .bool(authority.current.quirks.contains(.eventDetailInData))),
            ("popupByDefault", .bool(authority.current.quirks.contains(.popupByDefault))),
            ("honoursDevTags", .bool(authority.current.quirks.contains(.scriptHonoursDevTags))),
        ])
        return Self.file(SignInScript.text + "(\(settings.text));\n")
    }

    /// `GET /assets/message.js`: for the last page of a popup.
    @Sendable func messageScript(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        Self.file(MessageTemplate.scriptText)
    }

    private static func file(_ text: String) -> Response {
        var response = Assets.file(text, "text/javascript; charset=utf-8")
        // Pages that isolate themselves (COEP) may load it all the same, as they may load Apple's.
        response.headers[.crossOriginResourcePolicy] = "cross-origin"
        return response
    }
}

extension HTTPField.Name {
    // A token by the look of it, and only that can make the initialiser fail.
    static let crossOriginResourcePolicy = Self("cross-origin-resource-policy")!
}
