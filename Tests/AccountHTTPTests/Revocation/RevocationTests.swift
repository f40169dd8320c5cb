import AccountAPI
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("Revocation at Apple", .eachEngine) struct RevocationTests {
    @Test("by the held token is asked for at once and done without the client") func held() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let answer = try await client.post("/v1/apple/revoke", json: "{}", token: token)
            #expect(answer.status == .accepted, "\(answer.text)")
            #expect(answer.text == #"{"manualRemoval":null}"#)
            #expect(try await service.isFirstAtApple() == false)
            // Apple is being asked already.
            let early = try await client.post("/v1/apple/revoke", json: "{}", token: token)
            #expect(early.text == #"{"manualRemoval":null}"#)
            try await service.domain.outbox.drain()
            #expect(try await service.isFirstAtApple())
            // The account and its session stay.
            _ = try await service.domain.sessions.authenticate(accessToken: token)
            // Nothing is held any more, and Apple lists nothing.
            let again = try await client.post("/v1/apple/revoke", json: "{}", token: token)
            #expect(again.status == .accepted && again.text == #"{"manualRemoval":null}"#)
        }
    }

    @Test(
        "with a nonce that Apple can't have been given is refused", arguments: ["", String(repeating: "n", count: 129)])
    func impossibleNonce(nonce: String) async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let body = #"{"authorizationCode":"anything","nonce":"\#(nonce)"}"#
            try await client.post("/v1/apple/revoke", json: body, token: token).expectError(.invalidRequest, 400)
        }
    }

    @Test("and a later deletion don't ask the person to remove the app by hand") func thenDeletion() async throws {
        for isDrained in [true, false] {
            try await withService { client, service in
                let token = try await service.signInNatively(client).session.accessToken
                _ = try await client.post("/v1/apple/revoke", json: "{}", token: token)
                if isDrained { try await service.domain.outbox.drain() }
                let answer = try await client.send(.delete, "/v1/account", [.authorization: "Bearer \(token)"])
                let receipt = try answer.decode(AccountDeletionAnswer.self)
                #expect(receipt.deletion.status == (isDrained ? .done : .waiting))
                #expect(receipt.deletion.manualRemoval == nil)
                try await service.domain.outbox.drain()
                let later = try await client.send(.get, "/v1/deletions/\(receipt.handle)").decode(DeletionAnswer.self)
                #expect(later.deletion.status == .done && later.deletion.manualRemoval == nil)
                let page = try await client.page("/deletions/\(receipt.handle)").text
                #expect(page.contains("Has ended the authorization") && !page.contains("account.apple.com"))
            }
        }
    }

    @Test("without a held token says how to remove the app by hand, unless the access has ended") func byHand()
        async throws
    {
        try await withService { client, service in
            var session = try await service.signInNatively(client).session
            _ = try await client.post("/v1/apple/revoke", json: "{}", token: session.accessToken)
            try await service.domain.outbox.drain()
            // Authorized again since, without anything to revoke it with.
            service.clock.advance(by: .seconds(60))
            var credential = try await service.nativeCredential()
            credential.authorizationCode = nil
            session = try await client.post("/v1/sign-in/apple", json: credential).decode(SignInAnswer.self).session
            let answer = try await client.post("/v1/apple/revoke", json: "{}", token: session.accessToken)
            let removal = try #require(try answer.decode(AppleRevocationAnswer.self).manualRemoval)
            #expect(removal.message.contains("Juice") && removal.url.hasPrefix("https://account.apple.com"))
        }
    }

    @Test("by the held token needs a sign-in of the last five minutes") func recent() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            service.clock.advance(by: .seconds(300))
            try await client.post("/v1/apple/revoke", json: "{}", token: token).expectError(.requiresRecentLogin, 403)
            let fresh = try await service.reauthenticate(client, token: token)
            #expect(try await client.post("/v1/apple/revoke", json: "{}", token: fresh).status == .accepted)
        }
    }

    @Test("by a code of Apple's needs no other proof") func code() async throws {
        try await withService { client, service in
            var credential = try await service.nativeCredential()
            // No code, so that no token is held.
            credential.authorizationCode = nil
            let signedIn = try await client.post("/v1/sign-in/apple", json: credential)
            let token = try signedIn.decode(SignInAnswer.self).session.accessToken
            service.clock.advance(by: .seconds(400))
            let fresh = try await service.nativeCredential()
            let body = AppleRevocationRequest(authorizationCode: fresh.authorizationCode, nonce: fresh.nonce)
            let answer = try await client.post("/v1/apple/revoke", json: body, token: token)
            #expect(answer.text == #"{"manualRemoval":null}"#)
            try await client.post("/v1/apple/revoke", json: body, token: token).expectError(.codeAlreadyUsed, 401)
            try await service.domain.outbox.drain()
            #expect(try await service.isFirstAtApple())
        }
    }

    @Test("by another person's code is a mismatch") func otherPerson() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let fields = try await service.apple.authorize([
                "person": "zoe", "clientID": TestService.app.rawValue, "native": true,
            ])
            let body = AppleRevocationRequest(authorizationCode: fields["code"])
            try await client.post("/v1/apple/revoke", json: body, token: token).expectError(.credentialMismatch, 403)
        }
    }

    @Test("by a dead code, or one of a client that is not the app's, is refused") func wrongCodes() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let dead = AppleRevocationRequest(authorizationCode: "no code of Apple's")
            try await client.post("/v1/apple/revoke", json: dead, token: token).expectError(.grantRejected, 401)
            let web = AppleRevocationRequest(authorizationCode: "any", clientID: TestService.web.rawValue)
            try await client.post("/v1/apple/revoke", json: web, token: token).expectError(
                .invalidRequest, 400, field: "clientID")
            let empty = AppleRevocationRequest(authorizationCode: "")
            try await client.post("/v1/apple/revoke", json: empty, token: token).expectError(
                .invalidRequest, 400, field: "authorizationCode")
        }
    }
}

extension TestService {
    /// Whether Apple would take a sign-in of Johnny's for his first, as it does when nothing is authorized.
    func isFirstAtApple() async throws -> Bool {
        let answer = try await apple.authorize([
            "person": "johnny", "clientID": Self.web.rawValue, "scope": "name email",
        ])
        return answer["user"] != nil
    }
}
