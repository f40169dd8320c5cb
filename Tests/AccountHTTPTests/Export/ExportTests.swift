import AccountAPI
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("The export of an account", .eachEngine) struct ExportTests {
    @Test("holds what is known of the person, and no secret") func all() async throws {
        try await withService { client, service in
            let name = FullName(givenName: "Johnny", familyName: "Appleseed")
            var credential = try await service.nativeCredential(fullName: name)
            credential.deviceName = "Zoë's iPad"
            let signedIn = try await client.post("/v1/sign-in/apple", json: credential).decode(SignInAnswer.self)
            _ = try await service.signInWithBrowser(client)
            let token = signedIn.session.accessToken
            let answer = try await client.send(.get, "/v1/account/export", [.authorization: "Bearer \(token)"])
            #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
            let export = try answer.decode(AccountExportAnswer.self)
            #expect(export.accountID == signedIn.account.id && export.name?.formatted == "Johnny Appleseed")
            #expect(export.createdAt == signedIn.account.createdAt)
            let identity = try #require(export.identities.first)
            #expect(export.identities.count == 1 && identity.provider == "apple")
            #expect(identity.email == signedIn.account.email)
            #expect(Set(identity.appleTokens.map(\.clientID)) == [TestService.app.rawValue, TestService.web.rawValue])
            #expect(export.sessions.map(\.kind).sorted() == ["browser", "tokens"])
            #expect(export.sessions.first { $0.kind == "tokens" }?.deviceName == "Zoë's iPad")
            #expect(export.events.map(\.kind) == ["signed_in", "signed_in"])
            #expect(export.notifications.isEmpty && export.cut.isEmpty)
            #expect(answer.text.contains(#""notifications":[]"#) && answer.text.contains(#""cut":[]"#))
            #expect(export.pending.isEmpty && export.kept.isEmpty)
            #expect(identity.appleAccess == .granted && identity.lastAuthorizedAt != nil)
            #expect(export.activity.map(\.event) == ["signed_in", "signed_in"])
            for word in ["hash", "sealed", "Token\":\"", "secret", "nonce"] {
                #expect(!answer.text.contains(word), "\(word)")
            }
        }
    }

    @Test("tells what Apple has notified the service of") func notifications() async throws {
        try await withService { client, service in
            _ = try await service.completeSignIn(client, hideEmail: true)
            let token = try await service.signInNatively(client).session.accessToken
            service.clock.advance(by: .seconds(60))
            try await service.apple.forward(false)
            try await service.apple.deliver(to: client)
            let answer = try await client.send(.get, "/v1/account/export", [.authorization: "Bearer \(token)"])
            let export = try answer.decode(AccountExportAnswer.self)
            #expect(export.notifications.map(\.type) == ["email-disabled"])
            #expect(export.notifications.map(\.outcome) == ["applied"])
            #expect(export.notifications.first?.clientID.hasPrefix("com.example.juice") == true)
            #expect(export.events.first?.kind == "email_forwarding_changed")
        }
    }

    @Test("is a file for a browser, to which a page leads") func file() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client, firstName: "Johnny")
            let offer = try await client.page("/account/export", cookies: [cookie])
            #expect(offer.status == .ok && offer.text.contains(#"href="/account/export/file""#))
            #expect(!offer.text.contains("/reauthenticate/apple"))
            let answer = try await client.page("/account/export/file", cookies: [cookie])
            #expect(answer.headers[.contentDisposition] == #"attachment; filename="account.json""#)
            #expect(answer.headers[.contentType] == "application/json")
            #expect(try answer.decode(AccountExportAnswer.self).name?.givenName == "Johnny")
            let page = try await client.page("/account", cookies: [cookie]).text
            #expect(page.contains(#"href="/account/export""#) && page.contains(#"href="/account/delete""#))
        }
    }

    @Test("asks a browser for a fresh proof, and is there on the way back") func freshProof() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            service.clock.advance(by: .seconds(300))
            let refused = try await client.page("/account/export/file", cookies: [cookie])
            #expect(refused.status == .seeOther && refused.headers[.location] == "/account/export")
            let page = try await client.page("/account/export", cookies: [cookie])
            #expect(page.status == .ok && !page.text.contains("/account/export/file"))
            for words in [
                "Sign in again with Apple", #"method="post" action="/reauthenticate/apple""#,
                #"name="return" value="/account/export""#, "Continue with Apple",
            ] {
                #expect(page.text.contains(words), "\(words)")
            }
            let policy = page.header("Content-Security-Policy") ?? ""
            #expect(policy.contains("form-action 'self' \(TestService.emulatorURL)"))

            let beginning = try await client.post(
                "/reauthenticate/apple", form: "return=%2Faccount%2Fexport", cookies: [cookie], site: "same-origin")
            let back = try await service.comeBack(client, beginning)
            #expect(back.status == .seeOther && back.headers[.location] == "/account/export")
            let fresh = try #require(back.cookie("__Host-siwa-session"))
            let offer = try await client.page("/account/export", cookies: [fresh])
            #expect(offer.text.contains(#"href="/account/export/file""#))
            #expect(try await client.page("/account/export/file", cookies: [fresh]).status == .ok)
        }
    }

    @Test("needs a session") func noSession() async throws {
        try await withService { client, _ in
            try await client.send(.get, "/v1/account/export").expectError(.accessTokenMissing, 401)
        }
    }
}
