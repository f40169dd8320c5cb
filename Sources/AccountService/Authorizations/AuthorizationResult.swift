import AppleIDTypes
import Foundation

/// What an authorization's sealed result holds.
struct AuthorizationResult: Hashable, Sendable, Codable, Redacted {
    var user: String
    var identityToken: String
    /// Only for an app that redeems Apple's code itself.
    var appleCode: String?
    /// As Apple's form told at the first consent, and only then.
    var email: String?
    var nameParts: [String?]?

    var name: PersonName? { nameParts.flatMap(PersonName.init(parts:)) }
}

extension Seal {
    func seal(_ result: AuthorizationResult, for id: AuthorizationID) throws -> [UInt8] {
        try seal(Array(try JSONEncoder().encode(result)), row: id.rawValue)
    }

    func openResult(_ finish: AuthorizationFinish, of id: AuthorizationID) throws -> AuthorizationResult {
        try JSONDecoder().decode(
            AuthorizationResult.self, from: Data(try open(finish.sealedResult, row: id.rawValue)))
    }
}
