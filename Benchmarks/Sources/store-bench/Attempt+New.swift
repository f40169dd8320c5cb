import AccountService
import AppleIDTypes
import Foundation

extension Attempt {
    /// A sign-in that somebody's browser begins.
    static func new() -> Self {
        let now = Timestamp(Date())
        return Self(
            stateHash: TokenHash(of: UUID().uuidString), browserHash: TokenHash(of: UUID().uuidString),
            purpose: .signIn, sessionID: nil, clientID: "com.example.juice.web", nonce: UUID().uuidString,
            returnPath: .account, createdAt: now, expiresAt: now + .minutes(15))
    }
}
