import AppleID
import AppleIDTypes
import ArgumentParser

/// The settings of `siwa serve` that name the apps to which the people sign in.
struct ImportAppleOptions: ParsableArguments {
    @Option(.emulator) var emulator: String?
    @Option(.teamID) var teamID: String?
    @Option(.bundleID) var bundleID: [String]
    @Option(.servicesID) var servicesID: [String]
}

/// The settings of an import, read.
@available(siwaServer 1.0, *)
struct ImportSettings: Sendable {
    let server: AppleServer
    let team: TeamID?
    let bundleIDs: [ClientID]
    let servicesIDs: [ClientID]
    let location: DatabaseLocation?

    static func read(_ reader: inout SettingsReader) -> Self? {
        guard let server = ServeSettings.readServer(&reader) else { return nil }
        return Self(
            server: server, team: reader.text(.teamID).map { TeamID($0) },
            bundleIDs: reader.texts(.bundleID).map { ClientID($0) },
            servicesIDs: reader.texts(.servicesID).map { ClientID($0) },
            location: DatabaseLocation.read(&reader))
    }
}
