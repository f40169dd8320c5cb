import CommandIO
import Foundation
import StrictJSON

/// The names in a settings file, and its problems: a `ConfigReader` finds only what it is asked for, and takes a value
/// of another kind for none.
struct SettingsFile {
    /// The ids of the apps in `"apps"`, in the order of the file.
    private(set) var apps: [String] = []
    /// The ids of the providers in `"providers"`, in the order of the file.
    private(set) var providers: [String] = []
    /// Members that are no settings, in the order of the file.
    private(set) var unknown: [SettingsReader.Problem] = []
    /// Settings whose value is of another kind, in the order of the file.
    private(set) var wrongKinds: [SettingsReader.Problem] = []

    /// No file.
    init() {}

    init(path: String) throws {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw Failure("the settings file \(path) cannot be read", hint: Self.hint)
        }
        try self.init(content, name: path)
    }

    init(_ content: some Collection<UInt8>, name: String) throws {
        let root: JSONValue
        do {
            root = try JSONDocument(content).root
        } catch {
            throw Failure("the settings file \(name) is not JSON: \(error)", hint: Self.hint, isUsage: true)
        }
        guard root.kind == .object else {
            throw Failure("the settings file \(name) is not a JSON object", hint: Self.hint, isUsage: true)
        }
        for member in root.members where !["apps", "providers"].contains(member.name) {
            let known = Setting.ofService.map { ($0.name, $0.kind) }
            check(member.name, member.value, known: known, at: .config) { Setting(name: $0) }
        }
        let apps = try Self.objects(
            in: root["apps"], problem: "apps: must be an object that has an object for each app",
            hint: #"for an app called juice that takes the defaults: {"apps": {"juice": {}}}"#)
        for app in apps {
            self.apps.append(app.name)
            for member in app.value.members {
                check(member.name, member.value, known: Setting.ofApp, at: .app(app.name)) {
                    .app(app.name, $0)
                }
            }
        }
        let providers = try Self.objects(
            in: root["providers"], problem: "providers: must be an object that has an object for each provider",
            hint: #"for Google in apps alone: {"providers": {"google": {"client-id": "…"}}}"#)
        for provider in providers {
            self.providers.append(provider.name)
            for member in provider.value.members {
                check(member.name, member.value, known: Setting.ofProvider, at: .provider(provider.name)) {
                    .provider(provider.name, $0)
                }
            }
        }
    }

    /// The members of an object of objects; none if it is absent.
    private static func objects(
        in value: JSONValue?, problem: String, hint: String
    ) throws -> [(name: String, value: JSONValue)] {
        guard let value else { return [] }
        guard value.kind == .object, value.members.allSatisfy({ $0.value.kind == .object }) else {
            throw Failure(problem, hint: hint, isUsage: true)
        }
        return value.members.map { ($0.name, $0.value) }
    }

    /// - Parameter place: of a member that is no setting.
    private mutating func check(
        _ name: String, _ value: JSONValue, known: [(name: String, kind: SettingKind)], at place: Setting,
        setting: (String) -> Setting
    ) {
        guard let kind = known.first(where: { $0.name == name })?.kind else {
            let owner = place.group == ["providers"] ? "a provider" : "an app"
            let what = place == .config ? "a setting" : "a setting of \(owner)"
            let names =
                (place == .config ? known + [("apps", .text), ("providers", .text)] : known).map(\.name)
            let advice =
                if let likely = Spelling.likely(name, among: names) {
                    "did you mean `\(likely)`?"
                } else if place == .config {
                    "`siwa serve --help` lists them"
                } else {
                    "\(owner) has \(names.joined(separator: ", "))"
                }
            unknown.append(
                SettingsReader.Problem(
                    setting: place, problem: "`\(TextForPeople.quoted(name, limit: 80))` is not \(what); \(advice)"))
            return
        }
        if !kind.takes(value) {
            wrongKinds.append(SettingsReader.Problem(setting: setting(name), problem: kind.problem))
        }
    }

    private static let hint = "it is one JSON object with settings as members"
}

/// The kind of value that a setting must have in a settings file.
enum SettingKind: Sendable {
    case text
    /// A list, or one text in which commas separate them.
    case texts
    case flag
    case port
    /// A whole number of things. The reader decides how many may be.
    case count

    func takes(_ value: JSONValue) -> Bool {
        switch self {
        case .text: value.kind == .string
        case .texts: value.kind == .string || value.kind == .array && value.elements.allSatisfy { $0.kind == .string }
        case .flag: value.kind == .bool
        case .port: value.int64.map { (0...65_535).contains($0) } ?? false
        case .count: value.int64.map { $0 >= 0 } ?? false
        }
    }

    var problem: String {
        switch self {
        case .text: "must be a text"
        case .texts: "must be a list of texts"
        case .flag: "must be true or false"
        case .port: "must be a port number, 0 to 65535"
        case .count: "must be a whole number"
        }
    }
}
