import AccountService
import Configuration
import Foundation

/// The values of all settings of `siwa serve`, with the content of the files that they name. The next reading is compared
/// with it, to find the settings that have changed. It holds secrets.
@available(siwaServer 1.0, *)
struct SettingsSnapshot: Sendable {
    /// A setting that isn't there has no value.
    private var values: [Setting: String] = [:]
    /// The apps of the settings, with the defaults applied.
    var apps: [App] = []
    /// Each provider's id and the values of its settings, in the order of the settings file.
    private let providers: [[String?]]

    /// Reads the values, and the files that settings name.
    /// - Parameter providers: The ids of the providers in the settings file, in its order.
    init(_ config: ConfigReader, providers: [String]) {
        for setting in Setting.ofService { values[setting] = Self.value(of: setting, in: config) }
        self.providers = providers.map { [$0] + Self.values(ofProvider: $0, in: config) }
    }

    private static func values(ofProvider id: String, in config: ConfigReader) -> [String?] {
        Setting.ofProvider.map { member in
            var setting = Setting.provider(id, member.name)
            setting.kind = member.kind
            return value(of: setting, in: config)
        }
    }

    private static func value(of setting: Setting, in config: ConfigReader) -> String? {
        switch setting.kind {
        case .text:
            guard let text = config.string(forKey: setting.key, isSecret: true) else { return nil }
            let path = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if setting.isFolder { return text + "\n" + contents(ofFolder: path) }
            guard setting.name.hasSuffix("-file") else { return text }
            return text + "\n" + (FileManager.default.contents(atPath: path)?.base64EncodedString() ?? "")
        case .texts:
            return config.stringArray(forKey: setting.key, isSecret: true)?.joined(separator: ",")
                ?? config.string(forKey: setting.key, isSecret: true)
        case .flag: return config.bool(forKey: setting.key).map { "\($0)" }
        case .port, .count: return config.int(forKey: setting.key).map { "\($0)" }
        }
    }

    /// The files below a folder, with their names and contents.
    private static func contents(ofFolder path: String) -> String {
        let names = FileManager.default.subpaths(atPath: path)?.sorted() ?? []
        return names.map { name in
            "\(name) \(FileManager.default.contents(atPath: "\(path)/\(name)")?.base64EncodedString() ?? "")"
        }.joined(separator: "\n")
    }

    /// The settings that differ, by name.
    func changes(since other: Self) -> [Setting] {
        var changes = Set(values.keys).union(other.values.keys).filter { values[$0] != other.values[$0] }
        // If the defaults of apps have changed, the apps have too, and that is no change of its own.
        if apps != other.apps, changes.isDisjoint(with: Self.defaultsOfApps) { changes.insert(.apps) }
        if providers != other.providers { changes.insert(.providers) }
        return changes.sorted { $0.name < $1.name }
    }

    /// The settings that an app takes over if it says nothing itself.
    private static let defaultsOfApps: Set<Setting> = [.app, .appName, .bundleID, .servicesID]

    /// Adopts single values of a later snapshot.
    mutating func take(_ settings: some Sequence<Setting>, from other: Self) {
        for setting in settings { values[setting] = other.values[setting] }
    }
}
