import AccountAPI
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Sign-in by an app", .eachEngine)
struct NativeSignInTests {
    @Test("Account and session come in the form that is written down")
    func signIn() async throws {
        try await withService { client, service in
            let request = try await service.nativeCredential(
                fullName: FullName(givenName: "Johnny", familyName: "Appleseed"))
            let answer = try await client.post("/v1/sign-in/apple", json: request)
            #expect(answer.status == .ok)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.setCookie] == nil)
            let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
            #expect(Set(json.keys) == ["account", "session", "isNewAccount"])
            #expect(json["isNewAccount"] as? Bool == true)
            let account = try #require(json["account"] as? [String: Any])
            #expect(
                Set(account.keys) == [
                    "id", "name", "email", "emailVerified", "isPrivateEmail", "createdAt", "appleAccess",
                    "appleAccessEndedAt", "emailForwarding", "realUserStatus", "organizationID", "lastAuthorizedAt",
                    "appleToken", "contactEmail", "pendingContactEmail", "phone", "waysIn",
                ])
            #expect((account["id"] as? String)?.hasPrefix("acc_") == true)
            #expect((account["createdAt"] as? String)?.hasSuffix("Z") == true)
            let name = try #require(account["name"] as? [String: Any])
            #expect(name["formatted"] as? String == "Johnny Appleseed")
            #expect(name["middleName"] is NSNull && name.count == 7)
            let session = try #require(json["session"] as? [String: Any])
            #expect(Set(session.keys) == ["accessToken", "tokenType", "expiresIn", "refreshToken"])
            #expect(session["tokenType"] as? String == "Bearer" && session["expiresIn"] as? Int == 600)
        }
    }

    @Test("The account in the answer is the one that the token opens")
    func account() async throws {
        try await withService { client, service in
            let first = try await service.signInNatively(client)
            let second = try await service.signInNatively(client)
            #expect(first.isNewAccount && !second.isNewAccount)
            #expect(first.account == second.account)
            let headers: HTTPFields = [.authorization: "Bearer \(second.session.accessToken)"]
            let answer = try await client.send(.get, "/v1/account", headers)
            #expect(answer.status == .ok)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(try answer.decode(AccountAnswer.self).account == first.account)
        }
    }

    @Test("An app and a browser sign in to the same account")
    func oneAccount() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let answer = try await service.signInNatively(client)
            #expect(!answer.isNewAccount)
            #expect(answer.account.name?.formatted == "Johnny Appleseed")
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }

    @Test("A challenge of ours is accepted in either form, once", arguments: [true, false])
    func challenge(isHashed: Bool) async throws {
        try await withService { client, service in
            let nonce = try await client.post("/v1/challenges", json: "{}").decode(ChallengeAnswer.self).nonce
            let request = try await service.nativeCredential(nonce: nonce, isHashed: isHashed)
            #expect(try await client.post("/v1/sign-in/apple", json: request).status == .ok)
            let again = try await service.nativeCredential(nonce: nonce, isHashed: isHashed)
            try await client.post("/v1/sign-in/apple", json: again).expectError(.challengeAlreadyUsed, 401)
        }
    }

    @Test("A token and a nonce are each accepted once")
    func replay() async throws {
        try await withService { client, service in
            let request = try await service.nativeCredential()
            #expect(try await client.post("/v1/sign-in/apple", json: request).status == .ok)
            try await client.post("/v1/sign-in/apple", json: request).expectError(.tokenAlreadyUsed, 401)
            let sameNonce = try await service.nativeCredential(nonce: try #require(request.nonce))
            try await client.post("/v1/sign-in/apple", json: sameNonce).expectError(.nonceAlreadyUsed, 401)
        }
    }

    @Test("An invalid credential is answered 401, and an unreadable one 400")
    func refusals() async throws {
        try await withService { client, service in
            let good = try await service.nativeCredential()
            func refused(
                _ code: ErrorCode, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation,
                _ change: (inout NativeSignInRequest) -> Void
            ) async throws {
                var request = good
                change(&request)
                try await client.post("/v1/sign-in/apple", json: request)
                    .expectError(code, status, sourceLocation: sourceLocation)
            }
            try await refused(.malformedToken, 400) { $0.identityToken = "" }
            try await refused(.malformedToken, 400) { $0.identityToken = "a.b" }
            try await refused(.tokenTooLarge, 400) { $0.identityToken = String(repeating: "a", count: 60_000) }
            try await refused(.signatureInvalid, 401) { $0.identityToken?.replaceSignature() }
            try await refused(.nonceMismatch, 401) { $0.nonce = String(repeating: "x", count: 32) }
            try await refused(.nonceInvalid, 400) { $0.nonce = "short" }
            try await refused(.nonceInvalid, 400) { $0.nonce = String(repeating: "ä", count: 32) }
            try await refused(.challengeInvalid, 401) { $0.nonce = "c1." + String(repeating: "A", count: 80) }
            try await refused(.codeHashMismatch, 401) { $0.authorizationCode = "another" }
            #expect(try await client.post("/v1/sign-in/apple", json: good).status == .ok)
        }
    }

    @Test("A token for another app is refused")
    func audience() async throws {
        try await withService { client, service in
            let request = try await service.webCredential()
            try await client.post("/v1/sign-in/apple", json: request).expectError(.audienceMismatch, 401)
        }
    }

    @Test("A token that is too old is refused")
    func tooOld() async throws {
        try await withService { client, service in
            let request = try await service.nativeCredential()
            service.clock.advance(by: .seconds(11 * 60))
            try await client.post("/v1/sign-in/apple", json: request).expectError(.tokenTooOld, 401)
            service.clock.advance(by: .seconds(86_400))
            try await client.post("/v1/sign-in/apple", json: request).expectError(.tokenExpired, 401)
        }
    }

    @Test("Without Apple's keys a sign-in must be retried; without its token endpoint it succeeds, and the code waits")
    func appleDown() async throws {
        try await withService { client, service in
            let request = try await service.nativeCredential()
            service.apple.outage = .all
            try await client.post("/v1/sign-in/apple", json: request).expectError(.keysUnavailable, 503)
            service.apple.outage = .none
            // Apple's keys are asked for again after a minute.
            service.clock.advance(by: .seconds(61))
            _ = try await service.signInNatively(client)
            let other = try await service.nativeCredential()
            service.apple.outage = .tokens
            let answer = try await client.post("/v1/sign-in/apple", json: other).decode(SignInAnswer.self)
            // The token is that of the first sign-in.
            #expect(answer.account.appleToken == .held && !answer.isNewAccount)
        }
    }

    @Test("A browser's Accept changes nothing under /v1")
    func browser() async throws {
        try await withService { client, _ in
            let headers: HTTPFields = [.accept: "text/html", .contentType: "application/json"]
            try await client.send(.post, "/v1/sign-in/apple", headers, body: ByteBuffer(string: "{}"))
                .expectError(.invalidRequest, 400, field: "identityToken")
        }
    }
}

extension String {
    /// Puts other, well-formed bytes in the place of a token's signature.
    fileprivate mutating func replaceSignature() {
        let parts = split(separator: ".")
        self = "\(parts[0]).\(parts[1])." + String(repeating: "A", count: parts[2].count)
    }
}
