import AppleID
import ArgumentParser
import CommandIO
import Configuration

/// The settings that a client secret is made of, as several commands take them.
struct KeySettings: ParsableArguments {
    @Option(help: "A JSON file with the settings of siwa serve.", completion: .file(extensions: ["json"]))
    var config: String?

    @Option(.teamID) var teamID: String?
    @Option(.keyID) var keyID: String?
    @Option(.privateKeyFile) var privateKeyFile: String?

    /// Reads the key.
    /// - Throws: ``SettingsProblems`` with everything that is wrong.
    func read() async throws -> AppleClientKey {
        var sources = SettingsSources()
        sources.add(flagsOf: self)
        var reader = SettingsReader(config: try await sources.reader(file: config))
        guard let key = ServeSettings.readClientKey(&reader) else {
            throw SettingsProblems(problems: reader.problems)
        }
        return key
    }
}

/// The settings of `siwa serve` that `siwa doctor` examines.
struct ExaminedSettings: ParsableArguments {
    @OptionGroup var key: KeySettings

    @Option(.publicURL) var publicURL: String?
    @Option(.emulator) var emulator: String?
    @Option(.bundleID) var bundleID: [String]
    @Option(.servicesID) var servicesID: [String]
    @Option(.database) var database: String?
    @Option(.databasePasswordFile) var databasePasswordFile: String?
    @OptionGroup var files: WellKnownFileOptions

    var sources: SettingsSources {
        var sources = SettingsSources()
        sources.add(flagsOf: key)
        sources.add(flagsOf: self)
        sources.add(flagsOf: files)
        return sources
    }
}

/// The settings of the service's mail that several commands take.
struct MailOptions: ParsableArguments {
    @Option(.mailURL) var mailURL: String?
    @Option(.mailPasswordFile) var mailPasswordFile: String?
    @Option(.mailFrom) var mailFrom: String?
    @Option(.mailFromName) var mailFromName: String?
    @Option(.mailTemplates) var mailTemplates: String?
}
