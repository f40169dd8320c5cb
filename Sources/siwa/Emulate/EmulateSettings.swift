import AppleIDEmulator
import Configuration

/// All that `siwa emulate` is told; everything has a default.
@available(siwaServer 1.0, *)
struct EmulateSettings: Sendable {
    let host: String
    let port: Int
    /// Nil: `http://HOST:PORT`, or `https`.
    let baseURL: String?
    let usesTLS: Bool
    /// Whether clients are to take the emulator for `https://appleid.apple.com` itself.
    let isApple: Bool
    /// The file for the root of the certificate. If nil, the root is only at the emulator's own address for it.
    let rootFile: String?
    let readyFile: ReadyFile?
    /// The path of the portal's file.
    let portal: String?
    let emulator: EmulatorConfiguration

    var scheme: String { Self.scheme(usesTLS: usesTLS) }

    /// The address at which clients without a setting look for Apple.
    static let appleURL = "https://appleid.apple.com"

    /// Returns this machine's URL of the emulator, in `--as-apple` too: control calls want a loopback name for `Host`.
    func localURL(port: Int) -> String {
        "\(scheme)://localhost" + (port == (usesTLS ? 443 : 80) ? "" : ":\(port)")
    }

    /// The line of the hosts file that leads clients here instead of to Apple.
    var hostsLine: String {
        "\(["0.0.0.0", "::", "localhost"].contains(host) ? "127.0.0.1" : host) appleid.apple.com"
    }

    private static func scheme(usesTLS: Bool) -> String { usesTLS ? "https" : "http" }

    /// A host as it stands in a URL: IPv6 addresses in brackets.
    static func urlHost(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    static func read(from config: ConfigReader) -> Result<EmulateSettings, SettingsProblems> {
        var reader = SettingsReader(config: config)
        let host = reader.text(.emulatorHost) ?? "127.0.0.1"
        let urlHost = Self.urlHost(host)
        let isApple = reader.flag(.asApple)
        let port = reader.port(.emulatorPort, default: isApple ? 443 : 4_010)
        var baseURL = reader.text(.baseURL)
        if isApple {
            if baseURL != nil { reader.report(.baseURL, "is \(Self.appleURL) with as-apple") }
            baseURL = Self.appleURL
        }
        let usesTLS = reader.flag(.emulatorTLS) || isApple
        let portal = reader.text(.portal)
        let controlToken = reader.secret(.controlToken, lines: .one)?.text
        var emulator = EmulatorConfiguration(
            baseURL: baseURL ?? "\(scheme(usesTLS: usesTLS))://\(urlHost):\(port == 0 ? 4_010 : port)",
            strictURLs: reader.flag(.strict), notificationURL: reader.text(.notificationURL),
            stateFile: reader.text(.state),
            controlToken: controlToken, asksPassword: reader.flag(.askPassword),
            allowedHosts: reader.texts(.allowHost))
        emulator.behaviour = behaviour(&reader)
        if let issuer = reader.text(.issuer) { emulator.issuer = issuer }
        emulator.mailPort = reader.port(.mailPort)
        emulator.maximumConnections = reader.count(.emulatorMaximumConnections, in: 16...1_000_000)
        emulator.maximumConnectionsPerAddress = reader.count(
            .emulatorMaximumConnectionsPerAddress, in: 0...1_000_000)
        let returnURLs = reader.texts(.returnURL)
        if !returnURLs.isEmpty { emulator.returnURLs = returnURLs }
        if portal != nil {
            // They speak of the seeded portal, and would be lost without a word.
            if !returnURLs.isEmpty { reader.report(.returnURL, "belongs into the portal's file, when there is one") }
            if emulator.notificationURL != nil {
                reader.report(.notificationURL, "belongs into the portal's file, when there is one")
            }
        }
        let rootFile = reader.text(.rootFile)
        if rootFile != nil, !usesTLS { reader.report(.rootFile, "is of no use without tls") }
        let settings = EmulateSettings(
            host: host, port: port, baseURL: baseURL, usesTLS: usesTLS, isApple: isApple, rootFile: rootFile,
            readyFile: reader.text(.readyFile).map { ReadyFile(path: $0) }, portal: portal, emulator: emulator)
        guard reader.problems.isEmpty else { return .failure(SettingsProblems(problems: reader.problems)) }
        return .success(settings)
    }

    private static func behaviour(_ reader: inout SettingsReader) -> Behaviour {
        var names = reader.flag(.claimsAsText) ? ["claims-as-text"] : []
        for name in reader.texts(.quirk) {
            guard BehaviourTable.quirks.contains(name) || BehaviourTable.formerQuirks.contains(name) else {
                let likely = Spelling.likely(name, among: BehaviourTable.quirks)
                let advice = likely.map { "did you mean `\($0)`?" } ?? "siwa emulate --help lists them"
                reader.report(.quirk, "`\(name)` is no quirk; \(advice)")
                continue
            }
            names.append(name)
        }
        do {
            return try Behaviour(quirks: names)
        } catch {
            reader.report(.quirk, "`\(error.name)` is no quirk")
            return Behaviour()
        }
    }
}
