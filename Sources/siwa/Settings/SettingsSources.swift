import Configuration
import Foundation
import SystemPackage

/// Where settings come from: flags before the environment before a file.
struct SettingsSources {
    private(set) var flags: [AbsoluteConfigKey: ConfigValue] = [:]

    mutating func add(_ setting: Setting, _ text: String?, isSecret: Bool = false) {
        guard let text else { return }
        flags[setting.absoluteKey] = ConfigValue(.string(text), isSecret: isSecret)
    }

    mutating func add(_ setting: Setting, _ number: Int?) {
        guard let number else { return }
        flags[setting.absoluteKey] = ConfigValue(.int(number), isSecret: false)
    }

    /// A flag that is not set leaves the word to the other sources.
    mutating func add(_ setting: Setting, _ flag: Bool) {
        guard flag else { return }
        flags[setting.absoluteKey] = ConfigValue(.bool(true), isSecret: false)
    }

    mutating func add(_ setting: Setting, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        flags[setting.absoluteKey] = ConfigValue(.stringArray(texts), isSecret: false)
    }

    /// What stands before the emulator's settings in the environment.
    static let emulatorPrefix: ConfigKey = "siwa.emulate"

    /// Also warns of environment variables that look like a misspelt setting.
    /// - Parameters:
    ///   - prefix: before each name in the environment: `siwa` for `SIWA_PORT`.
    ///   - secrets: the names of environment variables that no report may show.
    ///   - file: JSON, with the settings' names as members.
    func reader(prefix: ConfigKey, secrets: Set<String>, file: String?) async throws -> ConfigReader {
        let environment = ProcessInfo.processInfo.environment
        let isOfEmulator = prefix.components == Self.emulatorPrefix.components
        let unread = Spelling.unread(
            in: environment, prefix: isOfEmulator ? Setting.prefixOfEmulator : Setting.prefixOfService,
            settings: isOfEmulator ? Setting.ofEmulator.map(\.name) : SettingKind.ofService.map(\.name))
        for one in unread {
            complain("warning: nothing reads \(one.variable) in the environment; did you mean \(one.likely)?")
        }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: flags),
            EnvironmentVariablesProvider(environmentVariables: environment, secretsSpecifier: .specific(secrets))
                .prefixKeys(with: prefix),
        ]
        if let file {
            do {
                providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
            } catch {
                throw Failure(
                    "the settings file \(file) cannot be read", hint: "it is one JSON object with settings as members")
            }
        }
        return ConfigReader(providers: providers)
    }
}
