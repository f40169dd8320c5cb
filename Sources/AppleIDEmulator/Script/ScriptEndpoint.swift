import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Sign in with Apple JS, at the path where Apple's own is.
struct ScriptEndpoint: Sendable {
    let core: EmulatorCore
    let pages: Pages

    /// `GET /appleauth/static/jsapi/appleid/1/{locale}/appleid.auth.js`: the same for every page, but for the language.
    @Sendable func script(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        guard let locale = context.parameters.get("locale").flatMap({ ButtonLocale(rawValue: $0) }) else {
            throw Refusal(.notFound, "The script is not there in this language.")
        }
        let titles: [(String, JSONText?)] = ButtonTitle.allCases.map { ($0.rawValue, .string(locale.text($0))) }
        let settings = JSONText.object([
            ("language", .string(locale.language)), ("direction", .string(locale.isRightToLeft ? "rtl" : "ltr")),
            ("titles", .object(titles)), ("mark", .string(ButtonMark.path)),
            ("detailInData", .bool(core.current.behaviour.eventDetail == .data)),
            ("popupByDefault", .bool(core.current.behaviour.scriptUsesPopupByDefault)),
            ("honoursDevTags", .bool(core.current.behaviour.scriptHonoursDevTags)),
        ])
        return Self.file(pages.signInScript + "(\(settings.text));\n")
    }

    /// `GET /assets/message.js`: for the last page of a popup.
    @Sendable func messageScript(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        Self.file(pages.messageScript)
    }

    private static func file(_ text: String) -> Response {
        var response = AssetEndpoint.file(text, "text/javascript; charset=utf-8")
        // Pages that isolate themselves (COEP) may load it all the same, as they may load Apple's.
        response.headers[.crossOriginResourcePolicy] = "cross-origin"
        return response
    }
}

extension HTTPField.Name {
    // A token by the look of it, and only that can make the initialiser fail.
    static let crossOriginResourcePolicy = Self("cross-origin-resource-policy")!
}
