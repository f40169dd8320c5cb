import AppleIDTypes
import Synchronization

/// The clients with the keys that they use now, and one client secret for each, kept until shortly before it expires.
final class ClientRegistry: Sendable {
    private struct State {
        var clients: [ClientID: AppleClient]
        var secrets: [ClientID: (secret: ClientSecret, client: AppleClient)] = [:]
    }

    private let state: Mutex<State>

    init(_ clients: [ClientID: AppleClient]) {
        state = Mutex(State(clients: clients))
    }

    var clients: [ClientID: AppleClient] { state.withLock { $0.clients } }

    func replaceKey(with key: AppleClientKey) {
        state.withLock { state in
            state.clients = state.clients.mapValues { client in
                client.team == key.team ? AppleClient(id: client.id, kind: client.kind, key: key) : client
            }
        }
    }

    /// - Parameter client: One of ``clients``. A caller that looked it up before its key was replaced gets a secret of
    ///   the old key, which Apple takes as long as the operator has not revoked that key.
    func secret(for client: AppleClient, at now: Int64) throws(AppleIDError) -> ClientSecret {
        let kept = state.withLock { state in
            state.secrets[client.id].flatMap {
                $0.client.isSame(as: client) && $0.secret.serves(at: now) ? $0.secret : nil
            }
        }
        if let kept { return kept }
        // Signed outside the lock: two callers at once may both sign, and both secrets are good.
        let secret = try ClientSecret(for: client, at: now)
        state.withLock { $0.secrets[client.id] = (secret, client) }
        return secret
    }
}
