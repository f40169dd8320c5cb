import AppleIDTypes
import Crypto

/// The transfer of an app from one team to another. Its time says until when both may ask who is who.
struct Transfer: Hashable, Sendable, Codable {
    /// Sixty days, as Apple counts them.
    static let window: Int64 = 60 * 86_400

    /// The primary App ID; its Services IDs went with it.
    let app: ClientID
    let from: TeamID
    let to: TeamID
    /// When the recipient accepted it.
    let acceptedAt: Int64
    /// The keys by which the sender still proves itself, for migration and nothing else.
    let formerKeys: [Portal.Key]

    func isOpen(at now: Int64) -> Bool { now - acceptedAt <= Self.window }

    /// Whether a grant moved with the app, so that its person has a subject from before.
    func moved(_ grant: Grant) -> Bool { grant.wasTransferred(from: from) }

    /// The transfer subject of a person, which leads from one team's subject to the other's.
    func subject(of person: Portal.Person) -> Subject {
        PairwiseIdentity(person: person, team: from).transferSubject(to: to)
    }
}

/// The transfers of a run, in the order in which they happened. A full log drops its oldest transfer.
struct TransferLog: Sendable {
    static let capacity = 1_000

    private(set) var all: [Transfer] = []
    /// Keys of teams that gave an app away, each for that app.
    private(set) var formerKeys: [KeyID: Registry.ClientKey] = [:]

    init() {}

    /// - Throws: ``EmulatorError`` if a former key of a transfer is no private key.
    init(_ transfers: [Transfer]) throws(EmulatorError) {
        for transfer in transfers.suffix(Self.capacity) { try append(transfer) }
    }

    /// - Throws: ``EmulatorError`` if a former key is no private key; nothing has changed then.
    mutating func append(_ transfer: Transfer) throws(EmulatorError) {
        var keys: [KeyID: Registry.ClientKey] = [:]
        for key in transfer.formerKeys { keys[key.id] = try Self.clientKey(key, of: transfer) }
        if all.count >= Self.capacity {
            let gone = all.removeFirst()
            for key in gone.formerKeys where formerKeys[key.id]?.isOf(gone) == true { formerKeys[key.id] = nil }
        }
        all.append(transfer)
        formerKeys.merge(keys) { _, new in new }
    }

    private static func clientKey(
        _ key: Portal.Key, of transfer: Transfer
    ) throws(EmulatorError) -> Registry.ClientKey {
        do {
            let publicKey = try P256.Signing.PrivateKey(pemRepresentation: key.privateKey).publicKey
            return Registry.ClientKey(publicKey: publicKey, team: transfer.from, group: transfer.app)
        } catch {
            throw EmulatorError(
                .unreadableState, "the former key \(key.id) of \(transfer.app) is no PEM P-256 private key",
                cause: error)
        }
    }

    func last(of app: ClientID) -> Transfer? { all.last { $0.app == app } }
}

extension Registry.ClientKey {
    fileprivate func isOf(_ transfer: Transfer) -> Bool { team == transfer.from && group == transfer.app }
}
