import AppleID
import AppleIDTypes
import ArgumentParser
import Configuration

/// The settings that a client secret is made of, by the names that `siwa serve` has for them.
struct KeySettings: ParsableArguments {
    @Option(help: "A JSON file with settings.", completion: .file(extensions: ["json"]))
    var config: String?

    @Option(help: "Your team at Apple.")
    var teamID: String?

    @Option(help: "The key for Sign in with Apple.")
    var keyID: String?

    @Option(help: "The .p8 file of that key.", completion: .file())
    var privateKeyFile: String?

    /// - Throws: what ends the command, after everything that is wrong has been said.
    func read() async throws -> AppleClientKey {
        var sources = SettingsSources()
        sources.add(.teamID, teamID)
        sources.add(.keyID, keyID)
        sources.add(.privateKeyFile, privateKeyFile)
        var reader = SettingsReader(
            config: try await sources.reader(prefix: "siwa", secrets: ["SIWA_PRIVATE_KEY"], file: config))
        guard let key = ServeSettings.readClientKey(&reader) else {
            throw SettingsProblems(problems: reader.problems)
        }
        return key
    }
}
