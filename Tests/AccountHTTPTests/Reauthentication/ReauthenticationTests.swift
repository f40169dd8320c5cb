import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

/// Apart from the page's, because a browser's session and an app's are renewed by different roads.
@Suite("Reauthentication of an app's session", .eachEngine) struct ReauthenticationTests {
    @Test("A fresh credential with a challenge made for it renews the session") func renews() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            service.clock.advance(by: .seconds(400))
            let body = try await service.reauthentication(client, token: token)
            let answer = try await client.post("/v1/reauthenticate/apple", json: body, token: token)
            #expect(answer.status == .ok, "\(answer.text)")
            let renewed = try answer.decode(ReauthenticationAnswer.self)
            let now = Int64(service.clock.now.timeIntervalSince1970)
            #expect(renewed.authenticatedAt == APITime(secondsSince1970: now))
            #expect(renewed.tokenType == "Bearer" && renewed.expiresIn == 600)
            let session = try await service.domain.sessions.authenticate(accessToken: renewed.accessToken).session
            #expect(session.authenticatedAt.secondsSince1970 == now && session.hasNonceProof)
            // The session is the same one.
            #expect(session.id == (try await service.domain.sessions.authenticate(accessToken: token)).session.id)
        }
    }

    @Test("A nonce of the client's own, or a challenge for something else, is refused") func otherNonces() async throws
    {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let own = UUID().uuidString
            let signIn = try await service.challenge(client, for: "sign_in", token: token)
            let delete = try await service.challenge(client, for: "delete", token: token)
            let other = try await service.signInNatively(client).session.accessToken
            let elsewhere = try await service.challenge(client, for: "reauthenticate", token: other)
            for nonce in [own, signIn, delete, elsewhere] {
                let body = try await service.reauthentication(client, token: token, nonce: nonce)
                try await client.post("/v1/reauthenticate/apple", json: body, token: token).expectError(
                    .challengeInvalid, 401)
            }
        }
    }

    @Test("Another person's credential is a mismatch") func otherPerson() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let body = try await service.reauthentication(client, token: token, person: "zoe")
            try await client.post("/v1/reauthenticate/apple", json: body, token: token).expectError(
                .credentialMismatch, 403)
        }
    }

    @Test("The same credential renews once") func once() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let body = try await service.reauthentication(client, token: token)
            #expect(try await client.post("/v1/reauthenticate/apple", json: body, token: token).status == .ok)
            try await client.post("/v1/reauthenticate/apple", json: body, token: token).expectError(
                .tokenAlreadyUsed, 401)
        }
    }

    @Test("Without a session the call is refused") func noSession() async throws {
        try await withService { client, _ in
            try await client.post("/v1/reauthenticate/apple", json: "{}").expectError(.accessTokenMissing, 401)
        }
    }
}

@Suite("Reauthentication of a browser's session", .eachEngine) struct BrowserReauthenticationTests {
    @Test("The browser goes to Apple and comes back with a new session") func renews() async throws {
        try await withService { client, service in
            let former = try await service.signInWithBrowser(client)
            service.clock.advance(by: .seconds(400))
            let beginning = try await client.post(
                "/reauthenticate/apple", form: "return=%2Faccount%3Ffresh", cookies: [former], site: "same-origin")
            #expect(beginning.status == .seeOther)
            let answer = try await service.comeBack(client, beginning)
            #expect(answer.status == .seeOther && answer.headers[.location] == "/account?fresh")
            let successor = try #require(answer.cookie("__Host-siwa-session"))
            #expect(successor != former)
            #expect(try await client.page("/account", cookies: [successor]).status == .ok)
            #expect(try await client.page("/account", cookies: [former]).status == .seeOther)
        }
    }

    @Test("Another Apple Account renews no session and signs nobody in") func otherPerson() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let beginning = try await client.post(
                "/reauthenticate/apple", form: "", cookies: [cookie], site: "same-origin")
            let answer = try await service.comeBack(client, beginning, person: "zoe")
            answer.expectErrorPage(403, "another Apple Account")
            #expect(answer.cookie("__Host-siwa-session") == nil)
            #expect(answer.text.contains(#"href="/account""#))
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }

    @Test(
        "If Apple can't be reached, a proof changes nothing, says so, and leads back",
        arguments: [
            ("/reauthenticate/apple", "return=%2Faccount%2Fexport", "/account/export"),
            ("/account/delete", "", "/account/delete"),
        ])
    func appleUnreachable(path: String, form: String, back: String) async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            // Apple's keys from the time of the sign-in are too old then.
            service.clock.advance(by: .seconds(8 * 86_400))
            let beginning = try await client.post(path, form: form, cookies: [cookie], site: "same-origin")
            service.apple.outage = .all
            let answer = try await service.comeBack(client, beginning)
            answer.expectErrorPage(503, "Apple can’t be reached")
            #expect(answer.text.contains("Nothing was changed.") && !answer.text.contains("You are not signed in"))
            #expect(answer.text.contains(#"href="\#(back)""#))
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }

    @Test("A person who cancels at Apple is back where they were") func cancelled() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let beginning = try await client.post(
                "/reauthenticate/apple", form: "return=%2Faccount", cookies: [cookie], site: "same-origin")
            let answer = try await service.comeBack(client, beginning, decision: "cancel")
            #expect(answer.status == .seeOther && answer.headers[.location] == "/account")
            #expect(try await client.page("/account", cookies: [cookie]).status == .ok)
        }
    }

    @Test("A session that was signed out meanwhile is not brought back") func signedOut() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let beginning = try await client.post(
                "/reauthenticate/apple", form: "", cookies: [cookie], site: "same-origin")
            _ = try await client.post("/sign-out", form: "", cookies: [cookie], site: "same-origin")
            let answer = try await service.comeBack(client, beginning)
            answer.expectErrorPage(401, "signed out")
            #expect(answer.cookie("__Host-siwa-session") == nil)
        }
    }

    @Test("Another site or a signed-out browser can't begin it, and it returns only to this site") func barriers()
        async throws
    {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let foreign = try await client.post(
                "/reauthenticate/apple", form: "", cookies: [cookie], site: "cross-site")
            #expect(foreign.status == .forbidden)
            let anonymous = try await client.post("/reauthenticate/apple", form: "", site: "same-origin")
            #expect(anonymous.status == .seeOther && anonymous.headers[.location] == "/")
            for path in ["https://example.com/", "//example.com", "account"] {
                let form = "return=" + path.addingPercentEncoding()
                let answer = try await client.post(
                    "/reauthenticate/apple", form: form, cookies: [cookie], site: "same-origin")
                #expect(answer.status == .badRequest)
            }
        }
    }
}
