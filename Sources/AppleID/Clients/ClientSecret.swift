import AppleIDTypes
import StrictJWS
import TaskSignals

/// A client secret, which proves to Apple that a request comes from the client's operator: a JSON Web Token signed with
/// the client's key (Apple's "Creating a client secret").
///
/// Apple accepts a lifetime of up to six months. These secrets live for minutes: nobody can forget to renew them, and a
/// stolen one is soon worthless.
package struct ClientSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package static let lifetime: Int64 = 600
    /// The maximum lifetime that Apple accepts, in seconds: six months, as Apple counts them.
    package static let longestLifetime: Int64 = 15_777_000
    /// The seconds by which `iat` is earlier than this server's clock, because Apple's clock may be behind.
    private static let backdating: Int64 = 30
    /// The seconds before its end at which a secret is replaced, so that none expires on its way to Apple.
    private static let reserve: Int64 = 120

    package let rawValue: String
    /// Seconds since 1970.
    package let expiresAt: Int64
    private let madeAt: Int64

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - lifetime: in seconds.
    /// - Throws: ``AppleIDError/Code/invalidPrivateKey`` when the key does not sign.
    package init(
        for client: ClientRegistration, at now: Int64, lifetime: Int64 = Self.lifetime
    ) throws(AppleIDError) {
        madeAt = now
        expiresAt = now + lifetime
        let header = #"{"alg":"ES256","kid":\#(Self.quote(client.key.id.rawValue))}"#
        let payload =
            #"{"iss":\#(Self.quote(client.team.rawValue)),"iat":\#(now - Self.backdating),"exp":\#(expiresAt),"#
            + #""aud":\#(Self.quote(AppleServer.apple.issuer)),"sub":\#(Self.quote(client.id.rawValue))}"#
        let signingInput =
            Base64URL.encode(Array(header.utf8)) + [UInt8(ascii: ".")] + Base64URL.encode(Array(payload.utf8))
        do {
            let signature = try ES256.sign(signingInput, with: client.key.privateKey)
            rawValue = String(
                decoding: signingInput + [UInt8(ascii: ".")] + Base64URL.encode(signature), as: UTF8.self)
        } catch {
            throw AppleIDError(.invalidPrivateKey, "the private key \(client.key.id) does not sign", cause: error)
        }
    }

    /// Whether the secret is good for one more request. It isn't if the clock was set back to before it was made.
    func serves(at now: Int64) -> Bool {
        (madeAt...expiresAt - Self.reserve).contains(now)
    }

    package var description: String { "ClientSecret(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// A JSON string; identifiers come from configuration and may hold anything.
    private static func quote(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(Character(scalar))
            case _ where scalar.value < 0x20:
                result += "\\u00" + String(decoding: Hexadecimal.encode([UInt8(scalar.value)]), as: UTF8.self)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// The clients with the keys that they use now, and one client secret for each, kept until shortly before it expires.
final class ClientRegistry: Sendable {
    private struct State {
        var clients: [ClientID: ClientRegistration]
        var secrets: [ClientID: (secret: ClientSecret, client: ClientRegistration)] = [:]
    }

    private let state: Lock<State>

    init(_ clients: [ClientID: ClientRegistration]) {
        state = Lock(State(clients: clients))
    }

    var clients: [ClientID: ClientRegistration] { state.withLock { $0.clients } }

    func replaceKey(with key: AppleClientKey) {
        state.withLock { state in
            state.clients = state.clients.mapValues { client in
                client.team == key.team ? ClientRegistration(id: client.id, kind: client.kind, key: key) : client
            }
        }
    }

    /// - Parameter client: One of ``clients``. A caller that looked it up before its key was replaced gets a secret of
    ///   the old key, which Apple takes as long as the operator has not revoked that key.
    func secret(for client: ClientRegistration, at now: Int64) throws(AppleIDError) -> ClientSecret {
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
