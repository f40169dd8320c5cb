import AppleIDEmulator
import Configuration

/// All that `siwa emulate` is told; everything has a default.
struct EmulateSettings: Sendable {
    let host: String
    let port: Int
    /// Nil: `http://HOST:PORT`.
    let baseURL: String?
    let emulator: EmulatorConfiguration

    static func read(from config: ConfigReader) -> Result<EmulateSettings, SettingsProblems> {
        var reader = SettingsReader(config: config)
        let host = reader.text(.emulatorHost) ?? "127.0.0.1"
        let port = reader.port(.emulatorPort, default: 4_010)
        let baseURL = reader.text(.baseURL)
        var emulator = EmulatorConfiguration(
            baseURL: baseURL ?? "http://\(host):\(port == 0 ? 4_010 : port)", strictURLs: reader.flag(.strict),
            claimsAsText: reader.flag(.claimsAsText), stateFile: reader.text(.state),
            controlToken: reader.text(.controlToken, isSecret: true), asksPassword: reader.flag(.askPassword))
        if let issuer = reader.text(.issuer) { emulator.issuer = issuer }
        let returnURLs = reader.texts(.returnURL)
        if !returnURLs.isEmpty { emulator.returnURLs = returnURLs }
        guard reader.problems.isEmpty else { return .failure(SettingsProblems(problems: reader.problems)) }
        return .success(EmulateSettings(host: host, port: port, baseURL: baseURL, emulator: emulator))
    }
}
