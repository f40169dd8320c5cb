import AppleID
import AppleIDTypes
import ArgumentParser

/// The settings of `siwa serve` by which an import knows whose apps the people sign in to.
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
    let bundleID: ClientID?
    let servicesID: ClientID?
    let location: DatabaseLocation?

    static func read(_ reader: inout SettingsReader) -> Self? {
        guard let server = ServeSettings.readServer(&reader) else { return nil }
        return Self(
            server: server, team: reader.text(.teamID).map { TeamID($0) },
            bundleID: reader.texts(.bundleID).first.map { ClientID($0) },
            servicesID: reader.texts(.servicesID).first.map { ClientID($0) },
            location: DatabaseLocation.read(&reader))
    }
}
