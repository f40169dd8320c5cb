package import AppleID
package import AppleIDTypes
package import OpenIDConnect
package import WellKnownFiles

/// The settings of `siwa serve` that concern Apple, each of them perhaps missing or wrong.
package struct DoctorSettings: Sendable {
    /// The URL where people reach the service. Nil if it is missing or wrong.
    package var publicURL: String?
    /// The URL that Apple sends browsers back to. Nil if the public URL is missing or wrong.
    package var returnURL: String?
    package var server: AppleServer = .apple
    package var team: TeamID?
    package var keyID: KeyID?
    /// The path of the `.p8` file. Nil when the key came from somewhere else.
    package var keyFile: String?
    /// The key itself, where it was not given as a file.
    package var pem: String?
    package var bundleIDs: [ClientID] = []
    package var servicesIDs: [ClientID] = []
    /// A client secret that was made elsewhere.
    package var clientSecret: String?
    /// Looks into the servers' database for people of another team than this. Nil when no database is named.
    package var people: (@Sendable (TeamID) async -> PeopleInDatabase)?
    package var admitsTransferredPeople = false
    /// The paths of the files that the service serves under `/.well-known`.
    package var wellKnownFiles: [WellKnownFile: String] = [:]
    /// The providers beside Apple, as far as their settings are right.
    package var providers: [ProviderConfiguration] = []
    package var mailDomains: [String] = []
    /// The selector (`s=`) of the DKIM signatures in mail from these domains.
    package var dkimSelector: String?
    /// The service's own mail. Nil where nobody asked about it.
    package var mail: ExaminedMail?
    /// The findings from the settings alone.
    package var findings: [Finding] = []

    package init() {}
}

/// A setting of `siwa serve` that a hint names, as it stands in flags, environment and file.
package enum NamedSetting: String, CaseIterable, Sendable {
    case teamID = "team-id"
    case keyID = "key-id"
    case privateKeyFile = "private-key-file"
    case bundleID = "bundle-id"
    case servicesID = "services-id"
    case admitTransferred = "admit-transferred"

    var name: String { rawValue }

    var howToSet: String { Self.howToSet(rawValue, prefix: "SIWA") }

    /// The three ways to give a setting, for a hint.
    package static func howToSet(_ name: String, prefix: String) -> String {
        "--\(name), \(prefix)_\(name.uppercased().replacing("-", with: "_")) or \"\(name)\" in the --config file"
    }
}
