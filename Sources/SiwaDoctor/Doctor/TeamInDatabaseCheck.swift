package import AppleIDTypes
import CommandIO

/// The team of the people in the servers' database.
package enum PeopleInDatabase: Sendable {
    case noDatabaseYet
    case ofThisTeamAlone
    case ofOtherTeam(TeamID)
    case notKnown(problem: String, hint: String?)
}

/// Says whether the database holds people of another team than the configured one, as it does after the app has moved.
package struct TeamInDatabaseCheck {
    private static let name = "people"

    private let settings: DoctorSettings

    package init(settings: DoctorSettings) {
        self.settings = settings
    }

    /// Returns nothing where no database or no team is set.
    package func findings() async -> [Finding] {
        guard let people = settings.people, let team = settings.team else { return [] }
        return switch await people(team) {
        case .noDatabaseYet: [.skipped(Self.name, "there is no database yet")]
        case .ofThisTeamAlone: [.passed(Self.name, "the database holds people of this team alone")]
        case .ofOtherTeam(let other): [finding(other: other, team: team)]
        case .notKnown(let problem, let hint): [.warned(Self.name, "people_not_checked", problem, hint: hint)]
        }
    }

    private func finding(other: TeamID, team: TeamID) -> Finding {
        let situation =
            "the database holds people of team \(shown(other)), and the Team ID is \(shown(team)): has the app moved?"
        guard !settings.admitsTransferredPeople else {
            return .warned(
                Self.name, "people_of_other_team",
                "\(situation) People who come with the app get new, empty accounts",
                hint: "\(NamedSetting.admitTransferred.name) is set; without it they are refused")
        }
        return .warned(
            Self.name, "people_of_other_team",
            "\(situation) People who come with the app and have no account under this team are refused with "
                + "transfer_not_completed",
            hint: "siwa transfer moves these people; to give them new accounts instead set "
                + NamedSetting.admitTransferred.howToSet)
    }

    private func shown(_ team: TeamID) -> String { "`\(TextForPeople.quoted(team.rawValue, limit: 80))`" }
}
