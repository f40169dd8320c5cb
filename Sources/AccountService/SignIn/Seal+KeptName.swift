import AppleIDTypes
import Foundation

extension Seal {
    private struct Kept: Codable {
        var parts: [String?]
        var address: KeptFacts.Address?
    }

    /// Seals name and address for one person as one team sees them.
    func sealFacts(_ facts: KeptFacts, team: TeamID, subject: Subject) throws -> [UInt8] {
        let kept = Kept(parts: facts.name?.parts ?? [], address: facts.address)
        return try seal(Array(try JSONEncoder().encode(kept)), row: Self.row(team, subject))
    }

    func openFacts(_ kept: KeptName) throws -> KeptFacts {
        let json = try open(kept.sealed, row: Self.row(kept.team, kept.subject))
        let facts = try JSONDecoder().decode(Kept.self, from: Data(json))
        return KeptFacts(name: PersonName(parts: facts.parts), address: facts.address)
    }

    private static func row(_ team: TeamID, _ subject: Subject) -> String {
        team.rawValue + "/" + subject.rawValue
    }
}
