import AppleIDTypes
import Synchronization

/// One client secret a client, kept until shortly before it expires.
final class ClientSecrets: Sendable {
    private let secrets = Mutex<[ClientID: ClientSecret]>([:])

    func secret(for client: AppleClient, at now: Int64) throws(AppleIDError) -> ClientSecret {
        if let kept = secrets.withLock({ $0[client.id] }), kept.serves(at: now) { return kept }
        // Signed outside the lock: two callers at once may both sign, and both secrets are good.
        let secret = try ClientSecret(for: client, at: now)
        secrets.withLock { $0[client.id] = secret }
        return secret
    }
}
