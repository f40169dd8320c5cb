import AccountAPI
import AccountClient
import AppleID
import Foundation
import OpenAuthenticationServices
import Testing

@Suite("Apple's own API, over the service", .eachEngine, .timeLimit(.minutes(2)))
struct ClientCredentialTests {
    @Test("the first credential has name and address, a later one only the user", arguments: ClientSystem.Way.allCases)
    func credentials(_ way: ClientSystem.Way) async throws {
        try await ClientSystem.run(way) { street in
            street.browser.change { $0.name = ("Jane", "Doe") }
            let outcome = await Outcome.perform(in: street.configuration()) { request in
                request.state = "app's own"
                request.nonce = "0123456789abcdef"
            }
            let first = try #require(outcome.credential)
            #expect(first.fullName?.givenName == "Jane")
            #expect(first.fullName?.familyName == "Doe")
            #expect(first.email == "johnny@example.com")
            #expect(first.state == "app's own")
            #expect(first.authorizedScopes == [.fullName, .email])
            #expect(first.realUserStatus == .unsupported)

            let again = await Outcome.perform(in: street.configuration())
            let later = try #require(again.credential)
            #expect(later.user == first.user)
            #expect(later.fullName == nil)
            #expect(later.email == nil)
            #expect(later.state == nil)
        }
    }

    @Test("an authorization alone makes no session and no account")
    func noSession() async throws {
        try await ClientSystem.run { street in
            let outcome = await Outcome.perform(in: street.configuration())
            let credential = try #require(outcome.credential)
            let code = String(decoding: try #require(credential.authorizationCode), as: UTF8.self)
            #expect(code.hasPrefix("siwa_c1."))
            #expect(street.network.count(of: "/v1/sign-in/apple") == 0)
        }
    }

    // On Apple's systems AccountClient takes Apple's credential.
    #if !canImport(Darwin)
        @Test("the credential signs in at the backend once")
        func signInOnce() async throws {
            try await ClientSystem.run { street in
                let nonce = String.nonce()
                let outcome = await Outcome.perform(in: street.configuration()) { $0.nonce = nonce.sha256 }
                let credential = try #require(outcome.credential)
                let pair = AppleCredential(credential, nonce: nonce)
                let account = try await street.client().signIn(with: pair)
                #expect(account.user == credential.user)
                await #expect(throws: AccountClientError.self) { try await street.client().signIn(with: pair) }
            }
        }
    #endif
}
