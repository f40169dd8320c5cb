public import AppleIDTypes
import Crypto
import StrictJWS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One of the operator's registrations at Apple: an app or a website, with the key that speaks for it.
public struct ClientRegistration: Sendable {
    /// A kind of registration.
    public enum Kind: Hashable, Sendable {
        /// An app, known by its bundle identifier. Its codes come from devices and are redeemed without a redirect URI.
        case app
        /// A Services ID, for web, Android and Apple's script. Its codes are redeemed with the redirect URI.
        case service
    }

    /// The identifier as the portal has it, case and all: the `client_id` of requests and the `aud` of tokens.
    public let id: ClientID
    /// The kind, which decides whether codes are redeemed with a redirect URI.
    public let kind: Kind
    /// The key that signs client secrets. One key serves all clients of a group of apps.
    public let key: AppleClientKey

    /// The team that the client belongs to. A subject identifies a person within one team only.
    public var team: TeamID { key.team }

    /// Creates a registration without asking Apple. If Apple doesn't know it, the first request fails.
    public init(id: ClientID, kind: Kind, key: AppleClientKey) {
        self.id = id
        self.kind = kind
        self.key = key
    }

    /// Returns whether both registrations have the same identifier, kind and key.
    func isSame(as other: Self) -> Bool {
        id == other.id && kind == other.kind && key.id == other.key.id && key.team == other.key.team
            && key.privateKey.rawRepresentation == other.key.privateKey.rawRepresentation
    }
}

/// A private key of the developer portal, which signs client secrets.
///
/// Printing, dumping or mirroring it shows the key's identifier and team, never the key.
public struct AppleClientKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The Key ID of the portal, ten characters, also in the name of the file that it hands out.
    public let id: KeyID
    /// The Team ID of the portal, ten characters: the `iss` of client secrets.
    public let team: TeamID
    let privateKey: P256.Signing.PrivateKey

    /// Reads the `.p8` file that the portal hands out once.
    /// - Parameter pem: PKCS#8 in PEM. The two characters `\n` are taken for a line break, since that is how such a
    ///   file often survives an environment variable.
    /// - Throws: ``AppleIDError/Code/invalidPrivateKey``, also when a signature of the key doesn't verify.
    public init(id: KeyID, team: TeamID, pem: String) throws(AppleIDError) {
        guard !id.rawValue.isEmpty, !team.rawValue.isEmpty else {
            throw AppleIDError(.invalidPrivateKey, "a private key needs the identifiers of key and team")
        }
        self.id = id
        self.team = team
        do {
            privateKey = try P256.Signing.PrivateKey(pemRepresentation: Self.unescape(pem))
            let message = Array("\(team).\(id)".utf8)
            guard ES256.isValid(try ES256.sign(message, with: privateKey), over: message, by: privateKey.publicKey)
            else {
                throw AppleIDError(.invalidPrivateKey, "what the private key \(id) signs does not verify")
            }
        } catch let error as AppleIDError {
            throw error
        } catch {
            // The cause is left out: a parser's error may quote its input.
            throw AppleIDError(.invalidPrivateKey, "the private key \(id) is not a P-256 key in PKCS#8 PEM")
        }
    }

    /// The identifiers of key and team, which are no secrets.
    public var description: String { "AppleClientKey(id: \(id), team: \(team))" }
    /// The key's ``description``.
    public var debugDescription: String { description }
    /// A mirror with the two identifiers, and without the key.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "team": team]) }

    private static func unescape(_ pem: String) -> String {
        pem.replacing("\\n", with: "\n").trimmingPrefix(while: \.isWhitespace).description
    }
}
