import AccountAPI
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

/// One story for each part of the interface, with refusals and repeats: calls in an order, and all answers to them, on
/// each engine. The claims of the access tokens are among them, the bodies of pages are not: `RecordedPagesTests` has
/// those.
@Suite("The answers to a sequence of calls are those recorded", .eachEngine)
struct RecordedSequenceTests {
    private static func bearing(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

    @Test("of a sign-in from an app")
    func signIn() async throws {
        let wire = WireTranscript()
        try await withService { client, service in
            try wire.note("POST /v1/challenges", await client.post("/v1/challenges", json: #"{"purpose":"sign_in"}"#))
            let credential = try await service.nativeCredential(
                fullName: FullName(givenName: "Johnny", familyName: "Appleseed", nickname: "John"))
            let path = "/v1/sign-in/apple"
            try wire.note("POST \(path), a new person", await client.post(path, json: credential))
            try wire.note("POST \(path), the same credential", await client.post(path, json: credential))
            service.clock.advance(by: .seconds(60))
            var returning = try await service.nativeCredential()
            returning.deviceName = "Johnny's iPad"
            try wire.note("POST \(path), the person returns", await client.post(path, json: returning))

            var stranger = try await service.nativeCredential()
            stranger.nonce = UUID().uuidString
            try wire.note("POST \(path), another nonce", await client.post(path, json: stranger))
            stranger.identityToken = "eyJ"
            try wire.note("POST \(path), no token", await client.post(path, json: stranger))
            try wire.note("POST \(path), a web credential", await client.post(path, json: service.webCredential()))
            try wire.note("POST \(path), not JSON", await client.post(path, json: "{"))
            try wire.note("POST \(path), an empty object", await client.post(path, json: "{}"))
            try wire.note("POST \(path), a form", await client.post(path, form: "a=b"))
            try wire.note("GET \(path)", await client.send(.get, path))
            service.apple.outage = .all
            let during = try await service.nativeCredential()
            try wire.note("POST \(path), Apple cannot be reached", await client.post(path, json: during))
        }
        try wire.expect("sequence-sign-in")
    }

    @Test("of passwords and links in mails")
    func passwords() async throws {
        let wire = WireTranscript()
        try await withPasswords { client, service in
            func note(_ path: String, _ title: String, _ members: [String: String]) async throws -> TestResponse {
                try wire.note(
                    "POST \(path)\(title)", await client.post(path, json: try service.json(members)))
            }
            let (email, good) = (TestService.ann, TestPassword.good)
            _ = try await note("/v1/sign-up", ", too short", ["email": email, "password": "short"])
            _ = try await note("/v1/sign-up", ", no address", ["email": "ann", "password": good])
            _ = try await note("/v1/sign-up", "", ["email": email, "password": good])
            let link = try await service.secret(.signUp)
            _ = try await note("/v1/email-links", "", ["link": link])
            _ = try await note("/v1/sign-up/finish", ", another password", ["link": link, "password": "wrong"])
            let done: SignInAnswer = try await note("/v1/sign-up/finish", "", ["link": link, "password": good]).decode()
            _ = try await note("/v1/sign-up/finish", ", again", ["link": link, "password": good])
            let headers = Self.bearing(done.session.accessToken)
            try wire.note("GET /v1/account", await client.send(.get, "/v1/account", headers))
            service.clock.advance(by: .seconds(1))
            _ = try await note("/v1/sign-in/password", "", ["email": email, "password": good])
            _ = try await note("/v1/sign-in/password", ", wrong", ["email": email, "password": "wrong"])
            _ = try await note("/v1/sign-in/password", ", unknown", ["email": "bob@example.com", "password": "wrong"])
            _ = try await note("/v1/sign-in/link", "", ["email": email])
            let signIn = try await service.secret(.signInLink)
            _ = try await note("/v1/email-links", ", of a sign-in", ["link": signIn])
            _ = try await note("/v1/sign-in/link/finish", ", without the address", ["link": signIn])
            service.clock.advance(by: .seconds(1))
            _ = try await note("/v1/sign-in/link/finish", "", ["link": signIn, "email": email])
            let token = done.session.accessToken
            try wire.note(
                "POST /v1/reauthenticate/password",
                await client.post(
                    "/v1/reauthenticate/password", json: try service.json(["password": good]), token: token))
            let change = PasswordChangeRequest(
                currentPassword: good, newPassword: TestPassword.other, endOtherSessions: true)
            try wire.note("POST /v1/password", await client.post("/v1/password", json: change, token: token))
            _ = try await note("/v1/password/forgotten", "", ["email": email])
            let reset = try await service.secret(.passwordReset)
            _ = try await note("/v1/password/reset", "", ["link": reset, "password": good])
            try wire.note("GET /v1/account, afterwards", await client.send(.get, "/v1/account", headers))
        }
        try wire.expect("sequence-passwords")
    }

    @Test("of sessions and refreshes")
    func sessions() async throws {
        let wire = WireTranscript()
        try await withService { client, service in
            let first = try await service.signInNatively(client).session
            service.clock.advance(by: .seconds(60))
            let second = try await service.signInNatively(client).session
            let headers = Self.bearing(first.accessToken)
            try wire.note("GET /v1/sessions", await client.send(.get, "/v1/sessions", headers))
            let page: SessionListAnswer = try wire.note(
                "GET /v1/sessions?limit=1", await client.send(.get, "/v1/sessions?limit=1", headers)
            ).decode()
            if let next = page.next {
                let uri = "/v1/sessions?limit=1&after=\(next)"
                try wire.note("GET \(uri)", await client.send(.get, uri, headers))
            }

            let path = "/v1/session/refresh"
            let request = RefreshRequest(
                refreshToken: first.refreshToken, deviceName: "Kitchen", attempt: "AAECAwQFBgcICQoLDA0ODw")
            let refreshed: RefreshAnswer = try wire.note("POST \(path)", await client.post(path, json: request))
                .decode()
            try wire.note("POST \(path), a repeat", await client.post(path, json: request))
            service.clock.advance(by: .seconds(31))
            try wire.note("POST \(path), a late repeat with the attempt", await client.post(path, json: request))
            let late = RefreshRequest(refreshToken: first.refreshToken)
            try wire.note("POST \(path), a late repeat without", await client.post(path, json: late))
            try wire.note(
                "GET /v1/sessions, ended",
                await client.send(.get, "/v1/sessions", Self.bearing(refreshed.session.accessToken)))
            try wire.note(
                "POST \(path), ended",
                await client.post(path, json: RefreshRequest(refreshToken: refreshed.session.refreshToken)))
            try wire.note(
                "POST \(path), nonsense", await client.post(path, json: RefreshRequest(refreshToken: "nonsense")))

            let third = try await service.signInNatively(client).session
            let list: SessionListAnswer = try await client.send(.get, "/v1/sessions", Self.bearing(third.accessToken))
                .decode()
            let other = try #require(list.sessions.first { !$0.current }?.id)
            for call in ["the first time", "the second time"] {
                try wire.note(
                    "DELETE /v1/sessions/\(other), \(call)",
                    await client.send(.delete, "/v1/sessions/\(other)", Self.bearing(third.accessToken)))
            }
            try wire.note(
                "GET /v1/account, ended from elsewhere",
                await client.send(.get, "/v1/account", Self.bearing(second.accessToken)))
            for path in ["/v1/sessions?except=current", "/v1/session", "/v1/session"] {
                try wire.note("DELETE \(path)", await client.send(.delete, path, Self.bearing(third.accessToken)))
            }
            let last = try await service.signInNatively(client).session
            try wire.note(
                "DELETE /v1/sessions", await client.send(.delete, "/v1/sessions", Self.bearing(last.accessToken)))
            try wire.note("DELETE /v1/session, no token", await client.send(.delete, "/v1/session"))
            let expired = try await service.signInNatively(client).session
            service.clock.advance(by: .seconds(600))
            try wire.note(
                "GET /v1/account, an old token",
                await client.send(.get, "/v1/account", Self.bearing(expired.accessToken)))
            try wire.note("GET /v1/account, nonsense", await client.send(.get, "/v1/account", Self.bearing("nonsense")))
        }
        try wire.expect("sequence-sessions")
    }

    @Test("of an account: its state, export, events, reauthentication and revocation")
    func account() async throws {
        let wire = WireTranscript()
        try await withService { client, service in
            let credential = try await service.nativeCredential(
                fullName: FullName(givenName: "Johnny", familyName: "Appleseed"))
            let session = try await client.post("/v1/sign-in/apple", json: credential).decode(SignInAnswer.self).session
            let headers = Self.bearing(session.accessToken)
            for path in ["/v1/account", "/v1/account/export", "/v1/apple/credential-state"] {
                try wire.note("GET \(path)", await client.send(.get, path, headers))
            }
            try wire.note("GET /v1/account, no token", await client.send(.get, "/v1/account"))
            try wire.note(
                "POST /v1/challenges, for a reauthentication",
                await client.post(
                    "/v1/challenges", json: ChallengeRequest(purpose: .reauthenticate), token: session.accessToken))
            let renewal = try await service.reauthentication(client, token: session.accessToken)
            service.clock.advance(by: .seconds(60))
            for call in ["the first time", "the second time"] {
                try wire.note(
                    "POST /v1/reauthenticate/apple, \(call)",
                    await client.post("/v1/reauthenticate/apple", json: renewal, token: session.accessToken))
            }
            try wire.note(
                "GET /v1/account/export, after a reauthentication",
                await client.send(.get, "/v1/account/export", headers))
            let other = try await service.reauthentication(client, token: session.accessToken, person: "zoe")
            try wire.note(
                "POST /v1/reauthenticate/apple, another person",
                await client.post("/v1/reauthenticate/apple", json: other, token: session.accessToken))
            for call in ["the first time", "the second time"] {
                try wire.note(
                    "POST /v1/apple/revoke, \(call)",
                    await client.post("/v1/apple/revoke", json: "{}", token: session.accessToken))
            }
            try wire.note(
                "GET /v1/apple/credential-state, revoked",
                await client.send(.get, "/v1/apple/credential-state", headers))
            _ = try await client.send(.delete, "/v1/session", headers)
            try wire.note("GET /v1/account/events, ended", await client.send(.get, "/v1/account/events", headers))
            let again = try await service.signInNatively(client).session
            var bad = Self.bearing(again.accessToken)
            bad[try #require(HTTPField.Name("Last-Event-ID"))] = "x"
            try wire.note(
                "GET /v1/account/events, Last-Event-ID: x", await client.send(.get, "/v1/account/events", bad))
        }
        try wire.expect("sequence-account")
    }

    @Test("of authorizations: by redirect and with a device code")
    func authorizations() async throws {
        let wire = WireTranscript()
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let path = "/v1/authorizations"
            let begun: RedirectAuthorizationAnswer = try wire.note(
                "POST \(path)", await client.post(path, json: app.request())
            ).decode()
            let form = try wire.note("GET \(app.path(of: begun))", await client.page(app.path(of: begun)))
            #expect(form.status == .ok)
            let beginning = try wire.note(
                "POST \(app.path(of: begun))", await app.click(app.path(of: begun)))
            let (end, cookie) = try await app.finish(beginning)
            let page = try wire.note("GET \(end)", await client.page(end, cookies: [cookie]))
            let query = try await app.leave(page, cookies: [cookie])
            let handle = try #require(query["handle"])
            try wire.note("POST \(path)/redeem", await app.redeem(handle: handle))
            try wire.note("POST \(path)/redeem, again", await app.redeem(handle: handle))

            let nonce = UUID().uuidString
            var request = app.request(nil)
            request.nonce = service.hash(nonce)
            let device: DeviceAuthorizationAnswer = try wire.note(
                "POST \(path), without a redirect URI", await client.post(path, json: request)
            ).decode()
            try wire.note("POST \(path)/redeem, pending", await app.redeem(deviceCode: device.deviceCode))
            try wire.note("POST \(path)/redeem, too soon", await app.redeem(deviceCode: device.deviceCode))
            try wire.note("POST /device", await app.click("/device", form: "code=\(device.userCode)"))
            let allowed = try wire.note(
                "POST /device/allow", await app.click("/device/allow", form: "code=\(device.userCode)"))
            _ = try await app.finish(allowed)
            service.clock.advance(by: .seconds(60))
            let credential: AuthorizationCredentialBody = try wire.note(
                "POST \(path)/redeem, finished", await app.redeem(deviceCode: device.deviceCode)
            ).decode()
            try wire.note("POST \(path)/redeem, redeemed", await app.redeem(deviceCode: device.deviceCode))
            try wire.note(
                "POST /v1/sign-in/apple, with a code of ours",
                await client.post(
                    "/v1/sign-in/apple",
                    json: NativeSignInRequest(
                        identityToken: nil, authorizationCode: credential.authorizationCode, nonce: nonce,
                        clientID: TestService.app.rawValue)))

            let withdrawn = try await app.begin()
            for call in ["the first time", "the second time"] {
                try wire.note(
                    "POST \(path)/cancel, \(call)",
                    await client.post(
                        "\(path)/cancel", json: CancelAuthorizationRequest(id: withdrawn.id, codeVerifier: app.verifier)
                    ))
            }
            let denied = try await app.beginOnDevice()
            try wire.note("POST /device/deny", await app.click("/device/deny", form: "code=\(denied.userCode)"))
            try wire.note("POST \(path)/redeem, denied", await app.redeem(deviceCode: denied.deviceCode))
            let late = try await app.beginOnDevice()
            service.clock.advance(by: .seconds(600))
            try wire.note("POST \(path)/redeem, expired", await app.redeem(deviceCode: late.deviceCode))
            var unknown = app.request()
            unknown.app = "nobody"
            try wire.note("POST \(path), an unknown app", await client.post(path, json: unknown))
            try wire.note(
                "POST \(path), another's redirect URI",
                await client.post(path, json: app.request("https://evil.example/")))
        }
        try wire.expect("sequence-authorizations")
    }

    @Test("of a profile and its consents")
    func profile() async throws {
        let wire = WireTranscript()
        try await withService(sendsMail: true) { client, service in
            let token = try await service.signInNatively(client, hideEmail: true).session.accessToken
            // Its session doesn't ask for the change that is taken back.
            let other = try await service.signInNatively(client, hideEmail: true).session.accessToken
            let headers = Self.bearing(token)
            for body in [
                #"{"name":{"givenName":"Ann","familyName":"Appleseed"}}"#, "{}", #"{"name":{}}"#,
                #"{"phone":"+4930123456"}"#, #"{"phone":"+4930123456","consent":{"textVersion":"2"}}"#,
                #"{"contactEmail":"ann@example.com","consent":{"textVersion":"2"}}"#, #"{"contactEmail":"ann"}"#,
                #"{"phone":"030"}"#, #"{"name":null}"#, "[", #"{"phone":7}"#,
            ] {
                // Consents of one moment have no order.
                service.clock.advance(by: .seconds(1))
                try wire.note("PATCH /v1/account \(body)", await client.patch("/v1/account", json: body, token: token))
            }
            try wire.note("GET /v1/consent-texts/3", await client.send(.get, "/v1/consent-texts/3"))
            service.clock.advance(by: .seconds(60))
            let list: ConsentListAnswer = try wire.note(
                "GET /v1/consents", await client.send(.get, "/v1/consents", headers)
            ).decode()
            let phone = try #require(list.consents.first { $0.purpose == .phone }?.id)
            for call in ["the first time", "the second time"] {
                try wire.note(
                    "DELETE /v1/consents/\(phone), \(call)",
                    await client.send(.delete, "/v1/consents/\(phone)", headers))
            }
            try wire.note("GET /v1/consents, no token", await client.send(.get, "/v1/consents"))
            let cookie = try await service.signInWithBrowser(client, hideEmail: true)
            let path = try await service.link(.verifyAddress)
            try wire.note("GET \(path), signed out", await client.page(path))
            try wire.note("GET \(path)", await client.page(path, cookies: [cookie]))
            for call in ["the first time", "the second time"] {
                try wire.note(
                    "POST \(path), \(call)",
                    await client.post(path, form: "", cookies: [cookie], site: "same-origin"))
            }
            let back = try await service.link(.addressChanged)
            try wire.note("GET \(back)", await client.page(back))
            for call in ["the first time", "the second time"] {
                try wire.note(
                    "POST \(back), \(call)", await client.post(back, form: "", site: "same-origin"))
            }
            try wire.note("GET /v1/account", await client.send(.get, "/v1/account", Self.bearing(other)))
        }
        try wire.expect("sequence-profile")
    }

    @Test("of a deletion, up to Apple's revocation")
    func deletion() async throws {
        let wire = WireTranscript()
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            let headers = Self.bearing(session.accessToken)
            service.clock.advance(by: .seconds(301))
            try wire.note("DELETE /v1/account, too late", await client.send(.delete, "/v1/account", headers))
            let wrong = try await service.reauthentication(client, token: session.accessToken)
            try wire.note(
                "POST /v1/account/delete, a challenge for something else",
                await client.post("/v1/account/delete", json: wrong, token: session.accessToken))
            let proof = try await service.reauthentication(client, token: session.accessToken, purpose: "delete")
            let deleted: AccountDeletionAnswer = try wire.note(
                "POST /v1/account/delete",
                await client.post("/v1/account/delete", json: proof, token: session.accessToken)
            ).decode()
            let path = "/v1/deletions/\(deleted.handle)"
            try wire.note("GET \(path), waiting", await client.send(.get, path))
            try wire.note("GET /v1/account, deleted", await client.send(.get, "/v1/account", headers))
            service.clock.advance(by: .seconds(60))
            try await service.domain.outbox.drain()
            try wire.note("GET \(path), done", await client.send(.get, path))
            try wire.note("GET /deletions/…", await client.page("/deletions/\(deleted.handle)"))
            try wire.note("GET /v1/deletions/del_x", await client.send(.get, "/v1/deletions/del_x"))
            let next = try await service.signInNatively(client).session
            try wire.note(
                "DELETE /v1/account", await client.send(.delete, "/v1/account", Self.bearing(next.accessToken)))
        }
        try wire.expect("sequence-deletion")
    }

    @Test("of a browser's sign-in, sign-out and deletion")
    func browser() async throws {
        let wire = WireTranscript()
        try await withService { client, service in
            try wire.note("GET /", await client.page("/"))
            try wire.note("GET /account, signed out", await client.page("/account"))
            let beginning = try wire.note(
                "GET /sign-in/apple", await client.page("/sign-in/apple?return=/account/sessions"))
            let cookie = try #require(beginning.cookie("__Host-siwa-browser"))
            let form = try await service.decide(
                at: try #require(beginning.headers[.location]), firstName: "Johnny")
            let path = "/sign-in/apple/callback"
            let done = try wire.note(
                "POST \(path)",
                await client.post(
                    path, form: form, cookies: [cookie], site: "cross-site", origin: TestService.emulatorURL))
            try wire.note(
                "POST \(path), again",
                await client.post(
                    path, form: form, cookies: [cookie], site: "cross-site", origin: TestService.emulatorURL))
            let session = try #require(done.cookie("__Host-siwa-session"))
            for path in ["/", "/account", "/account/sessions"] {
                try wire.note("GET \(path), signed in", await client.page(path, cookies: [session]))
            }
            try wire.note(
                "POST /sign-out, cross-site",
                await client.post("/sign-out", form: "", cookies: [session], site: "cross-site"))
            try wire.note(
                "POST /sign-out", await client.post("/sign-out", form: "", cookies: [session], site: "same-origin"))
            try wire.note("GET /account, signed out again", await client.page("/account", cookies: [session]))
            let cancelled = try await service.completeSignIn(client, decision: "cancel")
            try wire.note("POST \(path), cancelled at Apple", cancelled)
        }
        try wire.expect("sequence-browser")
    }

    @Test("of Apple's notifications and of what operators and other services read")
    func others() async throws {
        let wire = WireTranscript()
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            service.clock.advance(by: .seconds(60))
            try await service.apple.stopUsing()
            #expect(try await service.apple.deliver(to: client) == [200])
            let body = try #require(service.apple.post.bodies.first)
            try wire.note("POST /apple/notifications, once more", await client.post("/apple/notifications", json: body))
            try wire.note(
                "GET /v1/account, after the end of consent",
                await client.send(.get, "/v1/account", Self.bearing(session.accessToken)))
            try wire.note(
                "GET /v1/account/events, after the end of consent",
                await client.send(.get, "/v1/account/events", Self.bearing(session.accessToken)))
            for json in [#"{"payload":"eyJ"}"#, "{}", "["] {
                try wire.note(
                    "POST /apple/notifications \(json)", await client.post("/apple/notifications", json: json))
            }
            for path in ["/.well-known/jwks.json", "/healthz", "/readyz", "/v1/nothing"] {
                try wire.note("GET \(path)", await client.send(.get, path))
            }
        }
        try wire.expect("sequence-others")
    }
}
