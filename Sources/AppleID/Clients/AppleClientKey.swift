public import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    /// - Throws: ``AppleIDError/Code/invalidPrivateKey``, also when what the key signs does not verify.
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

    /// Both identifiers, which are no secrets.
    public var description: String { "AppleClientKey(id: \(id), team: \(team))" }
    /// The same.
    public var debugDescription: String { description }
    /// The same.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "team": team]) }

    private static func unescape(_ pem: String) -> String {
        pem.replacing("\\n", with: "\n").trimmingPrefix(while: \.isWhitespace).description
    }
}
