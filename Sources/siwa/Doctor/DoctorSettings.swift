import AccountService
import AppleID
import AppleIDTypes
import Configuration
import Foundation

/// What `siwa doctor` looks at: the settings of `siwa serve` that concern Apple, each of them perhaps missing or wrong.
struct DoctorSettings: Sendable {
    var publicURL: PublicURL?
    var server: AppleServer = .apple
    var team: TeamID?
    var keyID: KeyID?
    /// Nil when the key came from somewhere else.
    var keyFile: String?
    /// The content of the `.p8` file.
    var pem: String?
    var bundleIDs: [ClientID] = []
    var servicesIDs: [ClientID] = []
    /// A client secret that was made elsewhere.
    var clientSecret: String?
    /// Nil unless it is set: the database is only looked at when somebody names it.
    var database: DatabaseLocation?
    var admitsTransferredPeople = false
    var mailDomains: [String] = []
    /// `s=` of the signatures in mail from these domains.
    var dkimSelector: String?
    /// What the settings alone say.
    var findings: [Finding] = []

    /// Where Apple sends browsers back to.
    var returnURL: String? { publicURL?.appending("/sign-in/apple/callback") }

    /// Keys: those of ``Setting``. Reads on where something is missing, since one mistake shall not hide the next.
    /// - Parameters:
    ///   - file: what the settings file names, and what is wrong with it.
    ///   - hasSecret: then the key is not needed.
    static func read(from config: ConfigReader, file: SettingsFile, hasSecret: Bool) -> Self {
        var reader = SettingsReader(config: config)
        reader.report(file)
        var settings = Self()
        settings.bundleIDs = reader.texts(.bundleID).map { ClientID($0) }
        settings.servicesIDs = reader.texts(.servicesID).map { ClientID($0) }
        if let url = reader.text(.publicURL) {
            do {
                settings.publicURL = try PublicURL(url)
            } catch {
                reader.report(.publicURL, error.reason)
            }
        } else if !settings.servicesIDs.isEmpty, !reader.isRefused(.publicURL) {
            reader.report(.publicURL, "is missing: the sign-in on the web returns to it")
        }
        if settings.bundleIDs.isEmpty, settings.servicesIDs.isEmpty, !hasSecret, !reader.isRefused(.bundleID),
            !reader.isRefused(.servicesID)
        {
            reader.report(.bundleID, "is missing: an app's bundle id, or a Services ID for the web")
        }
        if let server = ServeSettings.readServer(&reader) { settings.server = server }
        settings.team =
            (hasSecret
            ? reader.text(.teamID)
            : reader.requiredText(.teamID, what: "the ten characters of your team, from Apple's developer portal"))
            .map { TeamID($0) }
        settings.keyID =
            (hasSecret
            ? reader.text(.keyID)
            : reader.requiredText(.keyID, what: "the ten characters of the key for Sign in with Apple"))
            .map { KeyID($0) }
        settings.pem = reader.text(.privateKey, isSecret: true)
        if settings.pem == nil {
            settings.keyFile =
                hasSecret
                ? reader.text(.privateKeyFile) : reader.requiredText(.privateKeyFile, what: "the .p8 file of that key")
        }
        if reader.text(.database, isSecret: true) != nil { settings.database = DatabaseLocation.read(&reader) }
        settings.admitsTransferredPeople = reader.flag(.admitTransferred)
        settings.findings = reader.problems.map {
            .failed(
                "settings", "setting_wrong", "\($0.setting.path): \($0.problem)", hint: "set \($0.setting.howToSet)")
        }
        return settings
    }
}
