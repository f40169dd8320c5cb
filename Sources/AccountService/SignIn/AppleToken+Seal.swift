import AppleID
import AppleIDTypes

extension AppleToken {
    /// - Parameter randomness: ten bytes.
    init(
        sealing token: RefreshToken, client: ClientID, with seal: Seal, at moment: Timestamp, randomness: [UInt8]
    ) throws {
        let id = AppleTokenID(at: moment, randomness: randomness)
        let sealed = try seal.seal(Array(token.rawValue.utf8), row: id.rawValue, client: client.rawValue)
        self.init(id: id, clientID: client, sealed: sealed, obtainedAt: moment)
    }
}
