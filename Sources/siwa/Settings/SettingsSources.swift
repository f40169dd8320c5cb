import ArgumentParser
import CommandIO
import Configuration
import Foundation
import SystemPackage

/// The sources of settings: flags before the environment before a file.
@available(siwaServer 1.0, *)
struct SettingsSources {
    private(set) var flags: [AbsoluteConfigKey: ConfigValue] = [:]

    /// Takes over the flags that were given to a command. A flag stands for the setting of its name.
    mutating func add(flagsOf command: some ParsableArguments, _ program: Setting.Program = .serve) {
        let settings = Dictionary(uniqueKeysWithValues: program.settings.map { (Self.letters($0.name), $0) })
        for property in Mirror(reflecting: command).children {
            // A property wrapper is stored with an underscore before its name.
            guard let label = property.label, let setting = settings[Self.letters(label)] else { continue }
            flags[setting.absoluteKey] = Self.content(of: property.value).map {
                ConfigValue($0, isSecret: setting.isSecret)
            }
        }
    }

    /// Nil where nothing was given: then the other sources decide.
    private static func content(of wrapper: Any) -> ConfigContent? {
        switch wrapper {
        case let option as Option<String?>: option.wrappedValue.map { .string($0) }
        case let option as Option<Int?>: option.wrappedValue.map { .int($0) }
        case let option as Option<[String]>: option.wrappedValue.isEmpty ? nil : .stringArray(option.wrappedValue)
        case let flag as Flag<Bool>: flag.wrappedValue ? .bool(true) : nil
        default: nil
        }
    }

    /// `public-url` and `_publicURL` are one name.
    private static func letters(_ name: String) -> String { name.lowercased().filter(\.isLetter) }

    /// Also warns of environment variables that look like a misspelt setting.
    /// - Parameter file: JSON, with the settings' names as members.
    func reader(of program: Setting.Program = .serve, file: String?) async throws -> ConfigReader {
        let environment = ProcessInfo.processInfo.environment
        let unread = Spelling.unread(
            in: environment, prefix: program.prefix, settings: program.settings.map(\.name))
        for one in unread {
            complain("warning: nothing reads \(one.variable) in the environment; did you mean \(one.likely)?")
        }
        let secrets = Set(program.settings.filter(\.isSecret).map(\.variable))
        let prefix = ConfigKey(program.prefix.lowercased().split(separator: "_").map(String.init))
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

/// Finds the name that a person likely meant when they wrote another one.
enum Spelling {
    /// Returns the name closest to a text; nil when none is close.
    ///
    /// Letter case, hyphens and underscores don't count. One slip in three letters is close, and more than three slips
    /// never are.
    static func likely(_ text: String, among names: [String]) -> String? {
        let typed = letters(text)
        // The text is much longer than any name, so no name can be close.
        guard typed.count <= 64 else { return nil }
        let closest = names.map { (name: $0, slips: slips(from: typed, to: letters($0))) }.min { $0.slips < $1.slips }
        guard let closest, closest.slips <= min(3, typed.count / 3) else { return nil }
        return closest.name
    }

    /// Returns environment variables that look like settings and aren't read.
    /// - Parameters:
    ///   - prefix: The text before a setting's name in the environment, such as `SIWA`.
    ///   - settings: The settings that are read by that prefix.
    /// - Returns: Each with the variable that was likely meant, in the order of their names.
    static func unread(
        in environment: [String: String], prefix: String, settings: [String]
    ) -> [(variable: String, likely: String)] {
        let variables = Dictionary(
            settings.map { ($0, prefix + "_" + $0.uppercased().replacing("-", with: "_")) },
            uniquingKeysWith: { first, _ in first })
        let known = Set(variables.values)
        return environment.keys.sorted().compactMap { variable in
            guard variable.hasPrefix(prefix + "_"), !known.contains(variable),
                prefix != Setting.Program.serve.prefix || !variable.hasPrefix(Setting.Program.emulate.prefix + "_"),
                let likely = Self.likely(String(variable.dropFirst(prefix.count + 1)), among: settings),
                let meant = variables[likely]
            else { return nil }
            return (variable, meant)
        }
    }

    private static func letters(_ text: String) -> [Character] {
        text.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// How many characters must be added, dropped, changed or swapped with their neighbor.
    private static func slips(from typed: [Character], to name: [Character]) -> Int {
        var rows = [Array(0...name.count)]
        for (row, letter) in typed.enumerated() {
            var next = [row + 1]
            for (column, other) in name.enumerated() {
                var least = min(
                    rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == name[column - 1], typed[row - 1] == other {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[typed.count][name.count]
    }
}
