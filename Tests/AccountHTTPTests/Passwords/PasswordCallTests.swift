import AccountAPI
import AccountHTTP
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The calls of passwords and of links in mails", .eachEngine)
struct PasswordCallTests {
    @Test("Sign up, prove the address, and sign in with the password")
    func signUp() async throws {
        try await withPasswords { client, service in
            let asked = try await client.post(
                "/v1/sign-up",
                json: SignUpRequest(
                    email: "Ann@Example.com", password: TestPassword.good, fullName: FullName(givenName: "Ann")))
            #expect(asked.status == .accepted && asked.text == "{}")
            let link = try await service.secret(.signUp)
            let body = try service.json(["link": link])
            for _ in 0..<2 {
                let described = try await client.post("/v1/email-links", json: body).decode(EmailLinkAnswer.self)
                #expect(described.purpose == .signUp && described.address == nil && described.needsEmail)
            }
            let signIn = try service.json(["email": "ann@example.com", "password": TestPassword.good])
            try await client.post("/v1/sign-in/password", json: signIn).expectError(.wrongCredentials, 401)

            let wrong = try service.json(["link": link, "password": TestPassword.wrong])
            try await client.post("/v1/sign-up/finish", json: wrong).expectError(.wrongCredentials, 401)
            let finish = SignUpFinishRequest(link: link, password: TestPassword.good, deviceName: "Ann's phone")
            let done = try await client.post("/v1/sign-up/finish", json: finish).decode(SignInAnswer.self)
            #expect(done.isNewAccount && done.account.email == "Ann@Example.com" && done.account.emailVerified)
            #expect(done.account.name?.givenName == "Ann")
            try await client.post("/v1/sign-up/finish", json: finish).expectError(.linkUnknown, 404)
            try await client.post("/v1/email-links", json: body).expectError(.linkUnknown, 404)

            let again = try await client.post("/v1/sign-in/password", json: signIn).decode(SignInAnswer.self)
            #expect(again.account.id == done.account.id && !again.isNewAccount)
            let headers: HTTPFields = [.authorization: "Bearer \(again.session.accessToken)"]
            let account = try await client.send(.get, "/v1/account", headers).decode(AccountAnswer.self).account
            #expect(account.waysIn == WaysInBody(apple: false, email: "Ann@Example.com", hasPassword: true))
            let sessions = try await client.send(.get, "/v1/sessions", headers).decode(SessionListAnswer.self)
            #expect(sessions.sessions.compactMap(\.deviceName) == ["Ann's phone"])
        }
    }

    @Test("A link needs the repeated password or a new one, but not both")
    func oneOfTwo() async throws {
        try await withPasswords { client, service in
            let both = try service.json(["link": "x", "password": "a", "newPassword": "b"])
            for body in [both, #"{"link": "x"}"#] {
                let error = try await client.post("/v1/sign-up/finish", json: body)
                    .expectError(.invalidRequest, 400, field: "password")
                #expect(error.message == "`password` or `newPassword` must be there, and not both.")
            }
            for path in ["/v1/email-links", "/v1/sign-in/link/finish"] {
                try await client.post(path, json: #"{"link": "x", "email": "a@example.com"}"#)
                    .expectError(.linkUnknown, 404)
            }
        }
    }

    @Test("A new password needs the address, and drops the password of the sign-up and its name")
    func newPassword() async throws {
        try await withPasswords { client, service in
            _ = try await client.post(
                "/v1/sign-up",
                json: SignUpRequest(
                    email: TestService.ann, password: TestPassword.good, fullName: FullName(givenName: "Mallory")))
            let link = try await service.secret(.signUp)
            for email in [nil, "bob@example.com"] {
                let finish = SignUpFinishRequest(link: link, newPassword: TestPassword.other, email: email)
                try await client.post("/v1/sign-up/finish", json: finish).expectError(.emailNeeded, 409)
            }
            let finish = SignUpFinishRequest(link: link, newPassword: TestPassword.other, email: "ANN@example.com")
            let done = try await client.post("/v1/sign-up/finish", json: finish).decode(SignInAnswer.self)
            #expect(done.account.name == nil)
            for (password, status) in [(TestPassword.good, 401), (TestPassword.other, 200)] {
                let body = try service.json(["email": TestService.ann, "password": password])
                #expect(try await client.post("/v1/sign-in/password", json: body).status.code == status)
            }
        }
    }

    @Test("A link signs in with the address that it was sent to, and makes an account without a password")
    func signInLink() async throws {
        try await withPasswords { client, service in
            let asked = try await client.post("/v1/sign-in/link", json: try service.json(["email": TestService.ann]))
            #expect(asked.status == .accepted && asked.text == "{}")
            let link = try await service.secret(.signInLink)
            let described = try await client.post("/v1/email-links", json: try service.json(["link": link]))
                .decode(EmailLinkAnswer.self)
            #expect(described.purpose == .signIn && described.address == nil && described.needsEmail)
            for email in [nil, "bob@example.com"] {
                let request = SignInLinkFinishRequest(link: link, email: email)
                try await client.post("/v1/sign-in/link/finish", json: request).expectError(.emailNeeded, 409)
            }
            let request = SignInLinkFinishRequest(link: link, email: "ANN@example.com")
            let done = try await client.post("/v1/sign-in/link/finish", json: request).decode(SignInAnswer.self)
            #expect(done.isNewAccount)
            try await client.post("/v1/sign-in/link/finish", json: request).expectError(.linkUnknown, 404)
            let headers: HTTPFields = [.authorization: "Bearer \(done.session.accessToken)"]
            let account = try await client.send(.get, "/v1/account", headers).decode(AccountAnswer.self).account
            #expect(account.waysIn == WaysInBody(apple: false, email: TestService.ann, hasPassword: false))
            // The first password needs no other one, but a recent sign-in.
            let token = done.session.accessToken
            try await client.post(
                "/v1/reauthenticate/password", json: try service.json(["password": TestPassword.good]), token: token
            ).expectError(.notByPassword, 409)
            let change = PasswordChangeRequest(
                currentPassword: nil, newPassword: TestPassword.good, endOtherSessions: false)
            service.clock.advance(by: .seconds(301))
            try await client.post("/v1/password", json: change, token: token).expectError(.requiresRecentLogin, 403)
            service.clock.advance(by: .seconds(-301))
            #expect(try await client.post("/v1/password", json: change, token: token).text == "{}")
        }
    }

    @Test("A forgotten password is reset by a link, and every session ends")
    func reset() async throws {
        try await withPasswords { client, service in
            let first = try await service.signUpByApp(client)
            let asked = try await client.post(
                "/v1/password/forgotten", json: try service.json(["email": TestService.ann]))
            #expect(asked.status == .accepted && asked.text == "{}")
            let link = try await service.secret(.passwordReset)
            let short = try await client.post(
                "/v1/password/reset", json: try service.json(["link": link, "password": "short"])
            ).expectError(.passwordRefused, 400)
            #expect(short.details == .passwordRefused(PasswordRefusal(reason: .tooShort, minimumLength: 15)))
            let body = try service.json(["link": link, "password": TestPassword.other])
            let reset = try await client.post("/v1/password/reset", json: body)
            #expect(reset.status == .ok && reset.text == "{}")
            try await client.post("/v1/password/reset", json: body).expectError(.linkUnknown, 404)
            try await client.send(.get, "/v1/account", [.authorization: "Bearer \(first.session.accessToken)"])
                .expectError(.sessionEnded, 401)
            for (password, status) in [(TestPassword.good, 401), (TestPassword.other, 200)] {
                let body = try service.json(["email": TestService.ann, "password": password])
                #expect(try await client.post("/v1/sign-in/password", json: body).status.code == status)
            }
            #expect(try await service.mails(.passwordChanged).count == 1)
        }
    }

    @Test("The password changes with the present one, and other sessions end if the person says so")
    func change() async throws {
        try await withPasswords { client, service in
            let first = try await service.signUpByApp(client).session.accessToken
            let signIn = try service.json(["email": TestService.ann, "password": TestPassword.good])
            let second = try await client.post("/v1/sign-in/password", json: signIn).decode(SignInAnswer.self)
            func change(_ current: String?, _ new: String, ending: Bool) async throws -> TestResponse {
                try await client.post(
                    "/v1/password",
                    json: PasswordChangeRequest(currentPassword: current, newPassword: new, endOtherSessions: ending),
                    token: first)
            }
            try await change(TestPassword.wrong, TestPassword.other, ending: true)
                .expectError(.wrongCredentials, 401)
            try await change(TestPassword.good, "ann@example.com", ending: true).expectError(.passwordRefused, 400)
            #expect(try await change(TestPassword.good, TestPassword.other, ending: false).text == "{}")
            let other: HTTPFields = [.authorization: "Bearer \(second.session.accessToken)"]
            #expect(try await client.send(.get, "/v1/account", other).status == .ok)
            #expect(try await change(TestPassword.other, TestPassword.good, ending: true).status == .ok)
            try await client.send(.get, "/v1/account", other).expectError(.sessionEnded, 401)
            #expect(try await client.send(.get, "/v1/account", [.authorization: "Bearer \(first)"]).status == .ok)
        }
    }

    @Test("A password is a fresh proof, and then the account can be deleted")
    func reauthenticate() async throws {
        try await withPasswords { client, service in
            let token = try await service.signUpByApp(client).session.accessToken
            service.clock.advance(by: .seconds(400))
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            try await client.send(.delete, "/v1/account", headers).expectError(.requiresRecentLogin, 403)
            func prove(_ password: String) async throws -> TestResponse {
                try await client.post(
                    "/v1/reauthenticate/password", json: try service.json(["password": password]), token: token)
            }
            try await prove(TestPassword.wrong).expectError(.wrongCredentials, 401)
            let proven = try await prove(TestPassword.good).decode(ReauthenticationAnswer.self)
            #expect(proven.tokenType == "Bearer" && proven.expiresIn == 600)
            let deleted = try await client.send(
                .delete, "/v1/account", [.authorization: "Bearer \(proven.accessToken)"])
            #expect(deleted.status == .accepted, "\(deleted.text)")
            let answer = try deleted.decode(AccountDeletionAnswer.self)
            #expect(!answer.deletion.hasApple && answer.deletion.manualRemoval == nil)
            let page = try await client.page("/deletions/\(answer.handle)")
            #expect(page.status == .ok && !page.text.contains("<dt>Apple</dt>"), "Apple was never asked")
        }
    }

    @Test("Every answer with an account says how its person signs in")
    func waysIn() async throws {
        try await withPasswords { client, service in
            let ofAnn = WaysInBody(apple: false, email: TestService.ann, hasPassword: true)
            let signUp = try await service.signUpByApp(client)
            #expect(signUp.account.waysIn == ofAnn)
            let signIn = try service.json(["email": TestService.ann, "password": TestPassword.good])
            let password = try await client.post("/v1/sign-in/password", json: signIn).decode(SignInAnswer.self)
            #expect(password.account.waysIn == ofAnn)
            _ = try await client.post("/v1/sign-in/link", json: try service.json(["email": TestService.ann]))
            let finish = try service.json(["link": try await service.secret(.signInLink), "email": TestService.ann])
            let link = try await client.post("/v1/sign-in/link/finish", json: finish).decode(SignInAnswer.self)
            #expect(link.account.waysIn == ofAnn)
            let headers: HTTPFields = [.authorization: "Bearer \(signUp.session.accessToken)"]
            let account = try await client.send(.get, "/v1/account", headers).decode(AccountAnswer.self)
            #expect(account.account.waysIn == ofAnn)
            let profile = try await client.patch(
                "/v1/account", json: #"{"name": {"givenName": "Ann"}}"#, token: signUp.session.accessToken
            ).decode(AccountAnswer.self)
            #expect(profile.account.waysIn == ofAnn)
            let apple = try await service.signInNatively(client)
            #expect(apple.account.waysIn == WaysInBody(apple: true, email: nil, hasPassword: false))
        }
        try await withService { client, service in
            let account = try await service.signInNatively(client).account
            #expect(account.waysIn == nil)
        }
    }

    @Test("An account with Apple has no password to change or to prove anything with")
    func apple() async throws {
        try await withPasswords { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            let account = try await client.send(.get, "/v1/account", headers).decode(AccountAnswer.self).account
            #expect(account.waysIn == WaysInBody(apple: true, email: nil, hasPassword: false))
            try await client.post(
                "/v1/reauthenticate/password", json: #"{"password": "violet otter"}"#, token: token
            ).expectError(.notByPassword, 409)
            let change = PasswordChangeRequest(
                currentPassword: nil, newPassword: TestPassword.good, endOtherSessions: true)
            try await client.post("/v1/password", json: change, token: token).expectError(.notByPassword, 409)
        }
    }

    @Test(
        "A password that the rules refuse is refused the same way for every address",
        arguments: [
            ("short", PasswordRefusal.Reason.tooShort), (String(repeating: "x y", count: 43), .tooLong),
            ("passwordpassword", .common), ("example.com example.com", .personal),
        ])
    func rules(password: String, reason: PasswordRefusal.Reason) async throws {
        try await withPasswords { client, service in
            _ = try await service.signUpByApp(client)
            var answers: [[String]] = []
            for email in [TestService.ann, "bob@example.com"] {
                let answer = try await client.post(
                    "/v1/sign-up", json: try service.json(["email": email, "password": password]))
                let error = try answer.expectError(.passwordRefused, 400)
                #expect(error.details == .passwordRefused(PasswordRefusal(reason: reason, minimumLength: 15)))
                answers.append(answer.withoutNames)
            }
            #expect(answers[0] == answers[1])
        }
    }

    @Test(
        "Answers are the same bytes for an address that is known and for one that isn't",
        arguments: ["/v1/sign-up", "/v1/sign-in/link", "/v1/password/forgotten", "/v1/sign-in/password"])
    func same(path: String) async throws {
        try await withPasswords { client, service in
            _ = try await service.signUpByApp(client)
            var answers: [[String]] = []
            for email in [TestService.ann, "bob@example.com"] {
                let members = ["email": email, "password": TestPassword.wrong]
                answers.append(try await client.post(path, json: try service.json(members)).withoutNames)
            }
            #expect(answers[0] == answers[1] && answers[0].count > 3)
        }
    }

    @Test("Bodies are validated like all others, and an error names the wrong member", arguments: routes.sorted())
    func bodies(path: String) async throws {
        try await withPasswords { client, service in
            let token = try await service.signUpByApp(client).session.accessToken
            try await client.post(path, json: #"{"email": "a", "email": "b"}"#, token: token)
                .expectError(.malformedJSON, 400)
            try await client.post(path, json: "[", token: token).expectError(.malformedJSON, 400)
            try await client.post(path, json: "{}", token: token).expectError(.invalidRequest, 400)
            let large = String(repeating: " ", count: 65_537)
            try await client.post(path, json: large, token: token).expectError(.bodyTooLarge, 413)
            try await client.send(.post, path, [.authorization: "Bearer \(token)"])
                .expectError(.unsupportedMediaType, 415)
            let wrong = try await client.send(.get, path, [.authorization: "Bearer \(token)"])
            try wrong.expectError(.methodNotAllowed, 405)
            #expect(wrong.headers[.allow] == "POST")
        }
    }

    private static let routes: Set = [
        "/v1/sign-up", "/v1/sign-in/password", "/v1/sign-in/link", "/v1/password/forgotten", "/v1/email-links",
        "/v1/sign-up/finish", "/v1/sign-in/link/finish", "/v1/password/reset", "/v1/password",
        "/v1/reauthenticate/password", "/v1/account/upgrade",
    ]

    @Test(
        "An error about an invalid address or an unknown client names the member",
        arguments: ["", "ann", "a@b@c", "ann@"])
    func addresses(email: String) async throws {
        try await withPasswords { client, service in
            let body = try service.json(["email": email, "password": TestPassword.good])
            for path in ["/v1/sign-up", "/v1/sign-in/password", "/v1/sign-in/link", "/v1/password/forgotten"] {
                try await client.post(path, json: body).expectError(.invalidRequest, 400, field: "email")
            }
            _ = try await service.signUpByApp(client)
            let request = PasswordSignInRequest(
                email: TestService.ann, password: TestPassword.good, clientID: "com.example.stranger")
            try await client.post("/v1/sign-in/password", json: request)
                .expectError(.invalidRequest, 400, field: "clientID")
        }
    }

    @Test("Six wrong passwords make the next one wait, for unknown addresses too", arguments: ["ann", "bob"])
    func guessing(name: String) async throws {
        try await withPasswords { client, service in
            _ = try await service.signUpByApp(client)
            let body = try service.json(["email": "\(name)@example.com", "password": TestPassword.wrong])
            for _ in 0..<6 {
                try await client.post("/v1/sign-in/password", json: body).expectError(.wrongCredentials, 401)
            }
            let refused = try await client.post("/v1/sign-in/password", json: body)
            let error = try refused.expectError(.rateLimited, 429)
            #expect(error.details == .rateLimited(RetryDelay(retryAfter: 1)))
            #expect(refused.headers[.retryAfter] == "1")
        }
    }

    @Test("While one password is hashed and sixteen wait, the next call is told to try again later")
    func busy() async throws {
        let gate = DispatchSemaphore(value: 0)
        var settings = PasswordSettings.test
        settings.hashers = 1
        settings.willHash = { _ in
            gate.wait()
            gate.signal()
        }
        try await withPasswords(settings: settings) { client, service in
            let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
                for number in 0..<18 {
                    let body = try service.json([
                        "email": "person\(number)@example.com", "password": TestPassword.good,
                    ])
                    group.addTask { try await client.post("/v1/sign-in/password", json: body) }
                }
                // The only answer that comes before anything is hashed.
                let refused = try #require(try await group.next())
                try refused.expectError(.tooBusy, 503)
                #expect(refused.headers[.retryAfter] == "1")
                gate.signal()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 17)
            for answer in answers { try answer.expectError(.wrongCredentials, 401) }
        }
    }

    @Test("If passwords are off, the calls say so, and the pages aren't found", arguments: routes.sorted())
    func off(path: String) async throws {
        try await withService { client, _ in
            try await client.post(path, json: "{}").expectError(.passwordsOff, 404)
            let token = try await client.page("/sign-in")
            token.expectErrorPage(404, "Page not found")
            for page in ["/sign-up", "/forgotten", "/sign-in/link", "/account/password", "/account/upgrade"] {
                try await client.page(page).expectErrorPage(404, "Page not found")
            }
            let start = try await client.page("/")
            #expect(!start.text.contains("password\"") && !start.text.contains("/sign-up"))
        }
    }
}
