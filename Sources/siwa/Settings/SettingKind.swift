import StrictJSON

/// What a setting must be in a settings file.
enum SettingKind: Sendable {
    case text
    /// A list, or one text in which commas separate them.
    case texts
    case flag
    case port
    /// A whole number of things; how many may be is the reader's to say.
    case count

    /// The settings of `siwa serve`, but for its apps.
    static let ofService: [(name: String, kind: SettingKind)] =
        [
            Setting.publicURL, .host, .database, .keyRing, .emulator, .teamID, .keyID, .privateKey, .privateKeyFile,
            .tokenAudience, .appName, .buttonStyle, .buttonTitle, .signInScript, .logLevel,
            .sessionIdle, .sessionLifetime, .refreshGrace, .auditLifetime, .managementHost, .webhookURL, .webhookSecret,
            .webhookSecretFile, .keyRingFile,
        ].map { ($0.name, .text) }
        + [Setting.bundleID, .servicesID, .app, .trustedProxy, .nativeServicesID].map { ($0.name, .texts) }
        + [
            (Setting.port.name, .port), (Setting.databaseConnections.name, .count),
            (Setting.requestBudget.name, .count), (Setting.maximumConnections.name, .count),
            (Setting.maximumConnectionsPerAddress.name, .count), (Setting.managementPort.name, .port),
            (Setting.deleteOnConsentRevoked.name, .flag), (Setting.admitTransferred.name, .flag),
        ]

    /// The settings of one app.
    static let ofApp: [(name: String, kind: SettingKind)] = [
        ("name", .text), ("bundle-ids", .texts), ("services-id", .text), ("return-targets", .texts),
        ("hand-through", .flag),
    ]

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
