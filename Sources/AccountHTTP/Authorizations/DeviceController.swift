import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// The pages on which a person lets a device or terminal sign in: type the code, look at who asks, allow or deny.
struct DeviceController: Sendable {
    let authorizations: Authorizations
    let pages: PageRenderer
    let callers: CallerReader
    let limits: HTTPLimits
    /// The policy of the page whose form leads to Apple.
    let policy: ContentSecurityPolicy
    let now: @Sendable () -> Timestamp

    /// Takes nothing from the address, whatever a link brings: only a person who types the code has seen the device.
    @Sendable func form(_ request: Request, _ context: ServiceContext) async throws -> Response {
        Response(page: pages.device())
    }

    @Sendable func find(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let address = callers.address(of: request, context)
        return try await withCode(of: request) { code in
            let prompt = try await authorizations.prompt(userCode: code, from: address)
            let text = DeviceRequestText(
                app: prompt.appName, code: Self.grouped(code), place: prompt.address,
                age: AgeText(now() - prompt.beganAt).text)
            return Response(page: pages.deviceRequest(text), policy: policy)
        }
    }

    @Sendable func allow(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let address = callers.address(of: request, context)
        return try await withCode(of: request) { code in
            pages.onward(
                to: try await authorizations.allow(userCode: code, from: address, browser: request.browserSecret))
        }
    }

    @Sendable func deny(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let address = callers.address(of: request, context)
        return try await withCode(of: request) { code in
            try await authorizations.deny(userCode: code, from: address)
            return Response(page: pages.authorizationEnd(.denied(), app: pages.appName))
        }
    }

    /// A wrong code is an everyday mistake: the page asks again.
    private func withCode(
        of request: Request, _ operation: (String) async throws -> Response
    ) async throws -> Response {
        let typed = try await FormFields(bodyOf: request, limits: limits)["code"] ?? ""
        let code = Self.letters(typed)
        func again(_ problem: String) -> Response {
            let kept = typed.isEmpty ? nil : String(typed.prefix(Self.fieldLength))
            return Response(status: .badRequest, page: pages.device(problem: problem, typed: kept))
        }
        guard code.count == Self.codeLength else { return again("A code has eight letters.") }
        do {
            return try await operation(code)
        } catch let error as AccountError
            where error.code == .authorizationUnknown || error.code == .authorizationExpired
        {
            return again("This code is not known, or its ten minutes are over. Look at your device again.")
        }
    }

    private static let codeLength = 8
    /// The most characters that the page's field takes.
    private static let fieldLength = 40

    /// The capital letters of a code that a person typed, without spaces, hyphens and what looks like a hyphen.
    private static func letters(_ text: String) -> String {
        let letters = text.uppercased().unicodeScalars.filter { scalar in
            let isMinus = scalar == "\u{2212}" || scalar.properties.generalCategory == .dashPunctuation
            return !isMinus && !scalar.properties.isWhitespace
        }
        return String(String.UnicodeScalarView(letters))
    }

    /// The code with a hyphen in the middle, as the device shows it.
    private static func grouped(_ code: String) -> String {
        "\(code.prefix(codeLength / 2))-\(code.suffix(codeLength / 2))"
    }
}

/// How long ago something was, in words, to the minute.
struct AgeText {
    let text: String

    init(_ age: Duration) {
        let seconds = max(0, age.components.seconds)
        text =
            switch seconds {
            case ..<20: "just now"
            case ..<50: "less than a minute ago"
            case ..<90: "a minute ago"
            default: "\((seconds + 30) / 60) minutes ago"
            }
    }
}
