import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/settings/password` and `/settings/delete`: what people do to their Apple Account as a whole.
struct AccountController: Sendable {
    let authority: Authority
    let pages: Pages

    /// `GET /settings/password` with `person`.
    @Sendable func password(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        switch try SettingsVisitor.arrival(request, authority, pages) {
        case .missing(let response): return response
        case .visitor(let visitor):
            return .page(pages.settings.password(of: visitor.person, isAsked: authority.configuration.asksPassword))
        }
    }

    /// `POST /settings/password` with `person`, and `password` where anybody is asked for one.
    @Sendable func changePassword(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        switch try await SettingsVisitor.sender(request, authority) {
        case .missing(let response): return response
        case .visitor(let visitor):
            var password: String?
            if authority.configuration.asksPassword {
                password = visitor.fields["password"]
                guard let length = password?.unicodeScalars.count, length <= Portal.Person.maximumPasswordLength else {
                    throw Refusal(
                        .invalidRequest,
                        "A password has at least one character, and at most \(Portal.Person.maximumPasswordLength).")
                }
            }
            try await authority.changePassword(of: visitor.person, to: password, in: visitor.session)
            return .seeOther(SettingsVisitor.address("apps", of: visitor.person, notice: .password))
        }
    }

    /// `GET /settings/delete` with `person`: are you sure?
    @Sendable func confirmation(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        switch try SettingsVisitor.arrival(request, authority, pages) {
        case .missing(let response): return response
        case .visitor(let visitor):
            return .page(pages.settings.deletion(of: visitor.person, authority.current))
        }
    }

    /// `POST /settings/delete` with `person`.
    @Sendable func delete(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        switch try await SettingsVisitor.sender(request, authority) {
        case .missing(let response): return response
        case .visitor(let visitor):
            try await authority.deleteAccount(of: visitor.person)
            return .seeOther("/settings?done=\(SettingsNotice.deleted.rawValue)")
        }
    }
}
