import AccountService
import AppleIDTypes
import Foundation
import Logging

/// Whether the database holds people of another team than the configured one, as it does after the app has moved.
struct TeamInDatabaseCheck {
    let settings: DoctorSettings

    /// Nothing where no database or no team is set.
    func findings() async -> [Finding] {
        guard let location = settings.database, let team = settings.team else { return [] }
        let name = "people"
        // Opening would make the file.
        if case .file(let path) = location, !FileManager.default.fileExists(atPath: path) {
            return [.skipped(name, "there is no database yet")]
        }
        do {
            guard let other = try await otherTeam(in: location, than: team) else {
                return [.passed(name, "the database holds people of this team alone")]
            }
            return [finding(name, other: other, team: team)]
        } catch {
            let failure = (error as? AccountError)?.failure
            return [
                .warned(
                    name, "people_not_checked", failure?.problem ?? "the database does not open: \(error)",
                    hint: failure?.hint)
            ]
        }
    }

    private func finding(_ name: String, other: TeamID, team: TeamID) -> Finding {
        let situation =
            "the database holds people of team \(shown(other)), and the Team ID is \(shown(team)): has the app moved?"
        guard !settings.admitsTransferredPeople else {
            return .warned(
                name, "people_of_other_team", "\(situation) People who come with the app get new, empty accounts",
                hint: "\(Setting.admitTransferred.name) is set; without it they are refused")
        }
        return .warned(
            name, "people_of_other_team",
            "\(situation) People who come with the app and have no account under this team are refused with "
                + "transfer_not_completed",
            hint: "siwa cannot move accounts between teams yet; to give these people new accounts set "
                + Setting.admitTransferred.howToSet)
    }

    private func otherTeam(in location: DatabaseLocation, than team: TeamID) async throws -> TeamID? {
        let open = try await location.open(logger: Logger.standard(level: .warning))
        do {
            let other = try await open.store.otherTeam(than: team)
            try await open.close()
            return other
        } catch {
            try await open.close()
            throw error
        }
    }

    private func shown(_ team: TeamID) -> String { "`\(TextForPeople.quoted(team.rawValue, limit: 80))`" }
}
