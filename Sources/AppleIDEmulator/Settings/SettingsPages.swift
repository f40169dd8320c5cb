import AppleIDTypes
import Mustache

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pages of Settings › Sign in with Apple. Their forms go to the emulator alone, and there is no script.
struct SettingsPages: Sendable {
    private let peoplePage: MustacheTemplate
    private let appsPage: MustacheTemplate
    private let appPage: MustacheTemplate
    private let passwordPage: MustacheTemplate
    private let deletionPage: MustacheTemplate

    /// Throws only when a template has a mistake.
    init() throws {
        peoplePage = try Pages.template("settings-people")
        appsPage = try Pages.template("settings-apps")
        appPage = try Pages.template("settings-app")
        passwordPage = try Pages.template("settings-password")
        deletionPage = try Pages.template("settings-deletion")
    }

    func people(_ people: [Portal.Person], _ notice: SettingsNotice?) -> Page {
        var values: [String: Any] = [
            "title": "Settings", "people": people.map(Pages.values), "hasPeople": !people.isEmpty,
        ]
        values["notice"] = notice?.text
        return Page(peoplePage.render(values), .forms)
    }

    func apps(of person: Portal.Person, _ state: EmulatorState, _ notice: SettingsNotice?) -> Page {
        var values = values(person, state)
        values["title"] = "Sign in with Apple"
        values["notice"] = notice?.text
        values["mailAddress"] = InboxPages.address(of: person)
        values["passwordAddress"] = SettingsVisitor.address("password", of: person)
        values["deletionAddress"] = SettingsVisitor.address("delete", of: person)
        return Page(appsPage.render(values), .forms)
    }

    func app(_ grant: Grant, of person: Portal.Person, _ state: EmulatorState, _ notice: SettingsNotice?) -> Page {
        var values = Pages.values(person).merging(self.values(grant, of: person, state)) { _, new in new }
        let isForwarding = state.isForwarding(grant)
        values["title"] = "Sign in with Apple"
        values["notice"] = notice?.text
        values["group"] = grant.key.group.rawValue
        values["team"] = state.registry.portal.teams.first { $0.id == grant.team }?.name ?? grant.team.rawValue
        values["sharedName"] = Self.text(grant.name)
        values["sharedEmail"] =
            state.email(of: person, grant).map { grant.hidesEmail ? "\($0) (hidden)" : $0 } ?? "Not shared"
        values["email"] = person.email
        values["relay"] = isForwarding != nil
        values["isForwarding"] = isForwarding == true
        values["back"] = SettingsVisitor.address("apps", of: person)
        return Page(appPage.render(values), .forms)
    }

    func password(of person: Portal.Person, isAsked: Bool) -> Page {
        var values = Pages.values(person)
        values["title"] = "Change the password"
        values["isAsked"] = isAsked
        values["back"] = SettingsVisitor.address("apps", of: person)
        return Page(passwordPage.render(values), .forms)
    }

    func deletion(of person: Portal.Person, _ state: EmulatorState) -> Page {
        var values = values(person, state)
        values["title"] = "Delete this Apple Account?"
        values["back"] = SettingsVisitor.address("apps", of: person)
        return Page(deletionPage.render(values), .forms)
    }

    private func values(_ person: Portal.Person, _ state: EmulatorState) -> [String: Any] {
        let apps = state.grants.sorted.filter { $0.key.person == person.id }.map { self.values($0, of: person, state) }
        var values = Pages.values(person)
        values["apps"] = apps
        values["hasApps"] = !apps.isEmpty
        return values
    }

    private func values(_ grant: Grant, of person: Portal.Person, _ state: EmulatorState) -> [String: Any] {
        var values: [String: Any] = [
            "app": state.registry.clients[grant.key.group]?.name ?? grant.key.group.rawValue,
            "address": SettingsVisitor.address("app", of: person, app: grant.key.group),
            "since": Self.day(grant.firstAuthorizedAt),
        ]
        values["email"] = state.email(of: person, grant)
        return values
    }

    private static func text(_ name: Grant.Name?) -> String {
        guard let name else { return "Not shared" }
        let text = [name.firstName, name.lastName].filter { !$0.isEmpty }.joined(separator: " ")
        return text.isEmpty ? "Left empty" : text
    }

    /// Returns a day in UTC, as `2026-01-31`.
    private static func day(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601.year().month().day())
    }
}
