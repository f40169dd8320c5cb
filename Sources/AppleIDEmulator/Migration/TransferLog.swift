import AppleIDTypes
import Crypto

/// The transfers of a run, in the order in which they happened; of very many the oldest give way.
struct TransferLog: Sendable {
    static let capacity = 1_000

    private(set) var all: [Transfer] = []
    /// Keys of teams that gave an app away, each for that app.
    private(set) var formerKeys: [KeyID: Registry.ClientKey] = [:]

    init(_ transfers: [Transfer] = []) {
        for transfer in transfers.suffix(Self.capacity) { append(transfer) }
    }

    mutating func append(_ transfer: Transfer) {
        if all.count >= Self.capacity {
            let gone = all.removeFirst()
            for key in gone.formerKeys where formerKeys[key.id]?.isOf(gone) == true { formerKeys[key.id] = nil }
        }
        all.append(transfer)
        for key in transfer.formerKeys {
            // It was a key of a portal, and so was read before.
            guard let own = try? P256.Signing.PrivateKey(pemRepresentation: key.privateKey) else { continue }
            formerKeys[key.id] = Registry.ClientKey(
                publicKey: own.publicKey, team: transfer.from, group: transfer.app)
        }
    }

    func last(of app: ClientID) -> Transfer? { all.last { $0.app == app } }
}

extension Registry.ClientKey {
    fileprivate func isOf(_ transfer: Transfer) -> Bool { team == transfer.from && group == transfer.app }
}
