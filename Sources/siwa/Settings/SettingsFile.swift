import CommandIO
import Foundation
import StrictJSON

/// The names in a settings file, and its problems: a `ConfigReader` finds only what it is asked for, and takes a value
/// of another kind for none.
struct SettingsFile {
    /// The ids of the apps in `"apps"`, in the order of the file.
    private(set) var apps: [String] = []
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
        for member in root.members where member.name != "apps" {
            let known = Setting.ofService.map { ($0.name, $0.kind) }
            check(member.name, member.value, known: known, at: .config) { Setting(name: $0) }
        }
        guard let member = root["apps"] else { return }
        guard member.kind == .object, member.members.allSatisfy({ $0.value.kind == .object }) else {
            throw Failure(
                "apps: must be an object that has an object for each app",
                hint: #"for an app called juice that takes the defaults: {"apps": {"juice": {}}}"#, isUsage: true)
        }
        for app in member.members {
            apps.append(app.name)
            for member in app.value.members {
                check(member.name, member.value, known: Setting.ofApp, at: .app(app.name)) {
                    .app(app.name, $0)
                }
            }
        }
    }

    /// - Parameter place: of a member that is no setting.
    private mutating func check(
        _ name: String, _ value: JSONValue, known: [(name: String, kind: SettingKind)], at place: Setting,
        setting: (String) -> Setting
    ) {
        guard let kind = known.first(where: { $0.name == name })?.kind else {
            let what = place == .config ? "a setting" : "a setting of an app"
            let names = (place == .config ? known + [("apps", .text)] : known).map(\.name)
            let advice =
                if let likely = Spelling.likely(name, among: names) {
                    "did you mean `\(likely)`?"
                } else if place == .config {
                    "`siwa serve --help` lists them"
                } else {
                    "an app has \(names.joined(separator: ", "))"
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
