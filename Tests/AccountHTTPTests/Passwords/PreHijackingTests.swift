import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

/// The five classes of A. Sudhodanan and A. Paverd, "Pre-hijacked accounts" (USENIX Security 2022). The attacker knows the
/// victim's address and comes before the victim. The attacker doesn't read the victim's mail.
@Suite("Pre-hijacking by the calls", .eachEngine)
struct PreHijackingTests {
    private static let victim = "johnny@example.com"
    private static let attackersPassword = TestPassword.wrong

    private func signIn(
        _ client: TestClient, _ service: TestService, _ password: String, email: String = victim
    ) async throws -> TestResponse {
        try await client.post(
            "/v1/sign-in/password", json: try service.json(["email": email, "password": password]))
    }

    /// The attacker signs up with the victim's address, and can't open the link.
    private func prepare(_ client: TestClient, _ service: TestService, email: String = victim) async throws {
        let body = try service.json(["email": email, "password": Self.attackersPassword])
        #expect(try await client.post("/v1/sign-up", json: body).status == .accepted)
        try await signIn(client, service, Self.attackersPassword, email: email)
            .expectError(.wrongCredentials, 401)
    }

    private func account(_ client: TestClient, _ token: String) async throws -> AccountBody {
        try await client.send(.get, "/v1/account", [.authorization: "Bearer \(token)"]).decode(AccountAnswer.self)
            .account
    }

    /// The victim asks for a new password and sets it by the link.
    private func reset(_ client: TestClient, _ service: TestService) async throws {
        _ = try await client.post("/v1/password/forgotten", json: try service.json(["email": Self.victim]))
        let body = try service.json([
            "link": try await service.secret(.passwordReset), "password": TestPassword.other,
        ])
        #expect(try await client.post("/v1/password/reset", json: body).status == .ok)
    }

    @Test("Merge: a sign-up with the victim's address doesn't open the account that the victim has with Apple")
    func merge() async throws {
        try await withPasswords { client, service in
            try await prepare(client, service)
            let apple = try await service.signInNatively(client)
            #expect(apple.isNewAccount && apple.account.email == Self.victim)
            try await signIn(client, service, Self.attackersPassword).expectError(.wrongCredentials, 401)
            let ways = try await account(client, apple.session.accessToken).waysIn
            #expect(ways == WaysInBody(apple: true, email: nil, hasPassword: false))
            // Once more, after the victim: the mail names Apple, and has no link that makes an account.
            let before = try await service.mails(.signUp).count
            try await prepare(client, service)
            #expect(try await service.mails(.signUp).count == before)
            #expect(try await service.mails(.accountExists).last?.values["way"] == "apple")
        }
    }

    @Test("Merge, the other way round: an Apple Account never joins an account with the same address and a password")
    func mergeWithApple() async throws {
        try await withPasswords { client, service in
            let password = try await service.signUpByApp(client, email: Self.victim)
            let apple = try await service.signInNatively(client)
            #expect(apple.isNewAccount && apple.account.id != password.account.id)
            let ways = try await account(client, password.session.accessToken).waysIn
            #expect(ways == WaysInBody(apple: false, email: Self.victim, hasPassword: true))
        }
    }

    @Test("Unexpired session: a session that began before the victim took the account over ends with the reset")
    func session() async throws {
        try await withPasswords { client, service in
            // The attacker has got in, by whatever way, and keeps the session alive.
            let attacker = try await service.signUpByApp(client, email: Self.victim, password: Self.attackersPassword)
            try await reset(client, service)
            try await client.send(
                .get, "/v1/account", [.authorization: "Bearer \(attacker.session.accessToken)"]
            ).expectError(.sessionEnded, 401)
            let refresh = try service.json(["refreshToken": attacker.session.refreshToken])
            #expect(try await client.post("/v1/session/refresh", json: refresh).status == .unauthorized)
            try await signIn(client, service, Self.attackersPassword).expectError(.wrongCredentials, 401)
            #expect(try await signIn(client, service, TestPassword.other).status == .ok)
        }
    }

    @Test("Trojan identity: nothing that the attacker typed is in the account that the victim makes")
    func trojan() async throws {
        try await withPasswords { client, service in
            let body = SignUpRequest(
                email: Self.victim, password: Self.attackersPassword, fullName: FullName(givenName: "Mallory"))
            #expect(try await client.post("/v1/sign-up", json: body).status == .accepted)
            // The victim reads the mail, knows no password, and sets one.
            let finish = try service.json([
                "link": try await service.secret(.signUp), "newPassword": TestPassword.good, "email": Self.victim,
            ])
            let victim = try await client.post("/v1/sign-up/finish", json: finish).decode(SignInAnswer.self)
            #expect(victim.isNewAccount && victim.account.name == nil)
            let ways = try await account(client, victim.session.accessToken).waysIn
            #expect(ways == WaysInBody(apple: false, email: Self.victim, hasPassword: true))
            try await signIn(client, service, Self.attackersPassword).expectError(.wrongCredentials, 401)
            let sessions = try await client.send(
                .get, "/v1/sessions", [.authorization: "Bearer \(victim.session.accessToken)"])
            #expect(sessions.text.matches(of: /"ses_/).count == 1, "\(sessions.text)")
        }
    }

    @Test("Unexpired change of address: a change that the attacker began before the reset never counts")
    func addressChange() async throws {
        try await withPasswords { client, service in
            _ = try await service.signUpByApp(client, email: Self.victim, password: Self.attackersPassword)
            let page = try await service.signInOnPage(client, email: Self.victim, password: Self.attackersPassword)
            let attacker = try #require(page.cookie("__Host-siwa-session"), "\(page.text)")
            let asked = try await client.form(
                "/account/profile/contact-email", ["contactEmail": "mallory@example.org"], cookies: [attacker])
            #expect(asked.headers[.location] == "/account/profile?sent")
            let link = try await service.link(.verifyAddress)
            try await reset(client, service)

            let again = try await service.signInOnPage(client, email: Self.victim, password: TestPassword.other)
            let victim = try #require(again.cookie("__Host-siwa-session"), "\(again.text)")
            // Even in the victim's own browser the link is good for nothing.
            for cookie in [attacker, victim] {
                #expect(
                    try await client.form(link, [:], cookies: [cookie]).headers[.location]
                        != "/account/profile?confirmed")
            }
            let token = try await signIn(client, service, TestPassword.other).decode(SignInAnswer.self).session
            let body = try await account(client, token.accessToken)
            #expect(body.contactEmail == nil && body.pendingContactEmail == nil)
        }
    }

    @Test("Provider that verifies no addresses: an unverified address from Apple is no way in")
    func unverified() async throws {
        try await withPasswords { client, service in
            // Her school vouches for Ida's address, and Apple doesn't.
            let address = "ida.lindqvist@school.example.edu"
            let apple = try await service.signInNatively(client, person: "ida")
            #expect(apple.account.email == address && !apple.account.emailVerified)
            // The owner of the address gets a link and an account, and not that one.
            let owner = try await service.signUpByApp(client, email: address)
            #expect(owner.isNewAccount && owner.account.id != apple.account.id)
            let ways = try await account(client, apple.session.accessToken).waysIn
            #expect(ways == WaysInBody(apple: true, email: nil, hasPassword: false))
        }
    }
}
