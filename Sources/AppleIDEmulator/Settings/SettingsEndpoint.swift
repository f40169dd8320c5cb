import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/settings`: the apps that a person uses with the Apple Account, and the changes that the person can make.
///
/// The pages take the same steps as the control calls under `/emulator/grants`.
struct SettingsEndpoint: Sendable {
    let core: EmulatorCore
    let pages: Pages

    /// `GET /settings`: asks whose settings to show.
    @Sendable func people(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let notice = try SettingsNotice(rawValue: request.queryFields()["done"] ?? "")
        return .page(pages.settings.people(core.portal.people, notice))
    }

    /// `GET /settings/apps` with `person`.
    @Sendable func apps(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try SettingsVisitor.page(request, core, pages) { visitor in
            let notice = SettingsNotice(rawValue: visitor.fields["done"] ?? "")
            return .page(pages.settings.apps(of: visitor.person, core.current, notice))
        }
    }

    /// `GET /settings/app` with `person` and `app`.
    @Sendable func app(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try SettingsVisitor.page(request, core, pages) { visitor in
            let state = core.current
            guard let grant = state.grants[try visitor.grantKey] else {
                throw Refusal(.unknownGrant, "This person does not use the app.")
            }
            let notice = SettingsNotice(rawValue: visitor.fields["done"] ?? "")
            return .page(pages.settings.app(grant, of: visitor.person, state, notice))
        }
    }

    /// `POST /settings/stop-using` with `person` and `app`.
    @Sendable func stopUsing(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await SettingsVisitor.form(request, core) { visitor in
            try await core.stopUsing(try visitor.grantKey)
            return .seeOther(SettingsVisitor.address("apps", of: visitor.person, notice: .stopped))
        }
    }

    /// `POST /settings/forwarding` with `person`, `app`, and `forwarding` being `on` or `off`.
    @Sendable func forwarding(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await SettingsVisitor.form(request, core) { visitor in
            let key = try visitor.grantKey
            guard let word = visitor.fields["forwarding"], ["on", "off"].contains(word) else {
                throw Refusal(.invalidRequest, "forwarding must be on or off.")
            }
            try await core.forward(word == "on", for: key)
            return .seeOther(
                SettingsVisitor.address(
                    "app", of: visitor.person, app: key.group, notice: word == "on" ? .forwarding : .notForwarding))
        }
    }
}

/// `/settings/password` and `/settings/delete`: changes of a whole Apple Account.
struct AccountSettingsEndpoint: Sendable {
    let core: EmulatorCore
    let pages: Pages

    /// `GET /settings/password` with `person`.
    @Sendable func password(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try SettingsVisitor.page(request, core, pages) { visitor in
            .page(pages.settings.password(of: visitor.person, isAsked: core.configuration.asksPassword))
        }
    }

    /// `POST /settings/password` with `person`, and `password` where anybody is asked for one.
    @Sendable func changePassword(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await SettingsVisitor.form(request, core) { visitor in
            var password: String?
            if core.configuration.asksPassword {
                password = visitor.fields["password"]
                guard let length = password?.unicodeScalars.count, length <= Portal.Person.maximumPasswordLength else {
                    throw Refusal(
                        .invalidRequest,
                        "A password has at least one character, and at most \(Portal.Person.maximumPasswordLength).")
                }
            }
            try await core.changePassword(of: visitor.person, to: password, in: visitor.session)
            return .seeOther(SettingsVisitor.address("apps", of: visitor.person, notice: .password))
        }
    }

    /// `GET /settings/delete` with `person`: asks the person to confirm.
    @Sendable func confirmation(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try SettingsVisitor.page(request, core, pages) { visitor in
            .page(pages.settings.deletion(of: visitor.person, core.current))
        }
    }

    /// `POST /settings/delete` with `person`.
    @Sendable func delete(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await SettingsVisitor.form(request, core) { visitor in
            try await core.deleteAccount(of: visitor.person)
            return .seeOther("/settings?done=\(SettingsNotice.deleted.rawValue)")
        }
    }
}
