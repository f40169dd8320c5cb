import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let appleTokens: [Self] = [
        Self("An Apple token replaces that of the same identity and client, and no other") { store async throws in
            let web = AppleToken.sample("com.example.juice.web", [1])
            let app = AppleToken.sample("com.example.juice", [2])
            let newer = AppleToken.sample("com.example.juice.web", [3, 0, 0xFF], at: .start + .days(1))
            let first = try await store.signIn(.sample(appleToken: web))
            #expect(try await store.appleTokens(of: first.session.identityID) == [web])
            _ = try await store.signIn(.sample(appleToken: app))
            #expect(try await store.appleTokens(of: first.session.identityID) == [app, web])
            _ = try await store.signIn(.sample(appleToken: newer))
            _ = try await store.signIn(.sample())
            #expect(try await store.appleTokens(of: first.session.identityID) == [app, newer])
        },
        Self("Apple tokens belong to one identity") { store async throws in
            let one = try await store.signIn(.sample(appleToken: .sample("com.example.juice", [1])))
            let token = AppleToken.sample("com.example.juice", [2])
            let other = try await store.signIn(.sample(.sample("someone.else"), appleToken: token))
            #expect(try await store.appleTokens(of: one.session.identityID).map(\.sealed) == [[1]])
            #expect(try await store.appleTokens(of: other.session.identityID) == [token])
            #expect(try await store.appleTokens(of: .sample()).isEmpty)
        },
    ]
}

extension AppleToken {
    static func sample(_ client: ClientID, _ sealed: [UInt8], at moment: Timestamp = .start) -> AppleToken {
        AppleToken(id: .sample(at: moment), clientID: client, sealed: sealed, obtainedAt: moment)
    }
}
