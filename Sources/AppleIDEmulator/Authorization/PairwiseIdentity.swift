import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The identity of a person for one team. It is computed, never stored: the same in every run, for all clients, and
/// different for every other team.
struct PairwiseIdentity {
    let person: Portal.Person
    let team: TeamID

    /// Six digits, 32 hexadecimal digits, four digits, with dots between: the shape of every subject seen.
    var subject: Subject { subject("subject") }

    /// The subject of the person between this team and another that gets an app of it: the same for all apps.
    func transferSubject(to recipient: TeamID) -> Subject { subject("transfer to \(recipient)") }

    private func subject(_ purpose: String) -> Subject {
        let hash = Self.digest(purpose, person.id, team, account: person.accountGeneration)
        let head = hash[0..<4].reduce(0) { $0 << 8 | Int($1) } % 2_000
        let tail = hash[4..<8].reduce(0) { $0 << 8 | Int($1) } % 10_000
        return Subject("\(padded(head, to: 6)).\(hash[8..<24].hexadecimal).\(padded(tail, to: 4))")
    }

    /// Ten lowercase letters and digits at the person's relay domain. Each person of a ``Registry`` has one.
    var relayAddress: String {
        let relay = RelayMailbox(person: person.id, team: team)
        let name = Self.relayName(
            of: relay, generation: person.relayGenerations[team] ?? 0, account: person.accountGeneration)
        return name + "@" + (person.relayDomain ?? .classic).rawValue
    }

    /// The part of a relay address before the `@`.
    /// - Parameters:
    ///   - generation: the number of changes of the address.
    ///   - account: the number of deleted accounts with the person's id.
    static func relayName(of relay: RelayMailbox, generation: Int, account: Int = 0) -> String {
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
        let purpose = generation == 0 ? "relay" : "relay \(generation)"
        let local = digest(purpose, relay.person, relay.team, account: account).prefix(10).map {
            alphabet[Int($0) % alphabet.count]
        }
        return String(decoding: local, as: UTF8.self)
    }

    /// Identifiers hold no spaces (see ``Registry``), so no two pairs are hashed alike.
    private static func digest(_ purpose: String, _ person: String, _ team: TeamID, account: Int) -> [UInt8] {
        let name = account == 0 ? person : "\(person) \(account)"
        return Array(SHA256.hash(data: Data("siwa emulator \(purpose) \(team) \(name)".utf8)))
    }

    private func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: width - digits.count) + digits
    }
}
