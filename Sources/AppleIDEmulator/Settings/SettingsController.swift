import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/settings`: which apps a person uses with the Apple Account, and what becomes of that.
///
/// The same steps of the state as the control calls under `/emulator/grants`, behind pages.
struct SettingsController: Sendable {
    let authority: Authority
    let pages: Pages

    /// `GET /settings`: whose?
    @Sendable func people(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let notice = try SettingsNotice(rawValue: request.queryFields()["done"] ?? "")
        return .page(pages.settings.people(authority.portal.people, notice))
    }

    /// `GET /settings/apps` with `person`.
    @Sendable func apps(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        switch try SettingsVisitor.arrival(request, authority, pages) {
        case .missing(let response): return response
        case .visitor(let visitor):
            let notice = SettingsNotice(rawValue: visitor.fields["done"] ?? "")
            return .page(pages.settings.apps(of: visitor.person, authority.current, notice))
        }
    }

    /// `GET /settings/app` with `person` and `app`.
    @Sendable func app(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        switch try SettingsVisitor.arrival(request, authority, pages) {
        case .missing(let response): return response
        case .visitor(let visitor):
            let state = authority.current
            guard let grant = state.grants[try visitor.grantKey] else {
                throw Refusal(.unknownGrant, "This person does not use the app.")
            }
            let notice = SettingsNotice(rawValue: visitor.fields["done"] ?? "")
            return .page(pages.settings.app(grant, of: visitor.person, state, notice))
        }
    }

    /// `POST /settings/stop-using` with `person` and `app`.
    @Sendable func stopUsing(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        switch try await SettingsVisitor.sender(request, authority) {
        case .missing(let response): return response
        case .visitor(let visitor):
            try await authority.stopUsing(try visitor.grantKey)
            return .seeOther(SettingsVisitor.address("apps", of: visitor.person, notice: .stopped))
        }
    }

    /// `POST /settings/forwarding` with `person`, `app`, and `forwarding` being `on` or `off`.
    @Sendable func forwarding(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        switch try await SettingsVisitor.sender(request, authority) {
        case .missing(let response): return response
        case .visitor(let visitor):
            let key = try visitor.grantKey
            guard let word = visitor.fields["forwarding"], ["on", "off"].contains(word) else {
                throw Refusal(.invalidRequest, "forwarding must be on or off.")
            }
            try await authority.forward(word == "on", for: key)
            return .seeOther(
                SettingsVisitor.address(
                    "app", of: visitor.person, app: key.group, notice: word == "on" ? .forwarding : .notForwarding))
        }
    }
}
