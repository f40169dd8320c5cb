import AccountAPI
import AccountHTTP
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Changing a profile by the API", .eachEngine)
struct ProfileCallTests {
    private func account(_ client: TestClient, _ token: String) async throws -> AccountBody {
        try await client.send(.get, "/v1/account", [.authorization: "Bearer \(token)"])
            .decode(AccountAnswer.self).account
    }

    private func change(_ client: TestClient, _ token: String, _ json: String) async throws -> AccountBody {
        let answer = try await client.patch("/v1/account", json: json, token: token)
        try #require(answer.status == .ok, "\(answer.text)")
        #expect(answer.headers[.cacheControl] == "no-store")
        return try answer.decode(AccountAnswer.self).account
    }

    @Test("sets the members that are there, leaves those that are absent, and removes those that are null")
    func members() async throws {
        try await withService(sendsMail: true) { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let named = try await change(
                client, token, #"{"name":{"givenName":" Ann ","familyName":"Appleseed","nickname":null}}"#)
            #expect(named.name?.formatted == "Ann Appleseed" && named.phone == nil)
            let reachable = try await change(
                client, token, #"{"phone":"+4930123456","contactEmail":"Ann@example.com","fruit":"kiwi"}"#)
            #expect(reachable.name == named.name && reachable.phone == "+4930123456")
            #expect(reachable.contactEmail == nil && reachable.pendingContactEmail == "Ann@example.com")
            #expect(try await account(client, token) == reachable)
            #expect(try await service.mails(.verifyAddress).map(\.recipient) == ["Ann@example.com"])
            #expect(try await change(client, token, #"{"phone":null}"#).phone == nil)
            let bare = try await change(client, token, #"{"name":null,"contactEmail":null,"consent":null}"#)
            #expect(bare.name == nil && bare.pendingContactEmail == nil)
        }
    }

    @Test(
        "refuses an invalid value, and names its member",
        arguments: [
            ("{}", nil), (#"{"consent":{"textVersion":"1"}}"#, nil), ("[]", nil), (#""name""#, nil),
            (#"{"name":{}}"#, "name"), (#"{"name":{"givenName":" "}}"#, "name"), (#"{"name":"Ann"}"#, "name"),
            (#"{"name":{"givenName":1}}"#, "name.givenName"), (#"{"phone":30123456}"#, "phone"),
            (#"{"phone":""}"#, "phone"), (#"{"phone":"030 123456"}"#, "phone"),
            (#"{"phone":"+49 30 123456"}"#, "phone"),
            (#"{"phone":"+0123456789"}"#, "phone"), (#"{"contactEmail":""}"#, "contactEmail"),
            (#"{"contactEmail":"a@b@c"}"#, "contactEmail"), (#"{"contactEmail":false}"#, "contactEmail"),
            (#"{"contactEmail":"a@b.c\r\nBcc: d@e.f"}"#, "contactEmail"),
            (#"{"phone":"+4930123456","consent":{}}"#, "consent.textVersion"),
            (#"{"phone":"+4930123456","consent":"1"}"#, "consent"),
        ] as [(String, String?)])
    func refused(json: String, field: String?) async throws {
        try await withService(sendsMail: true) { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let before = try await account(client, token)
            try await client.patch("/v1/account", json: json, token: token)
                .expectError(.invalidRequest, 400, field: .some(field))
            #expect(try await account(client, token) == before)
        }
    }

    @Test("refuses invalid JSON, other content types, and a caller without a token or with a cookie alone")
    func requests() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            try await client.patch("/v1/account", json: #"{"phone":null,"phone":null}"#, token: token)
                .expectError(.malformedJSON, 400)
            try await client.patch("/v1/account", json: #"{"name":{"givenName":"\u0000"}}"#, token: token)
                .expectError(.malformedJSON, 400)
            let body = ByteBuffer(string: #"{"phone":null}"#)
            try await client.send(.patch, "/v1/account", [.authorization: "Bearer \(token)"], body: body)
                .expectError(.unsupportedMediaType, 415)
            let cookie = try await service.signInWithBrowser(client)
            try await client.send(
                .patch, "/v1/account", [.contentType: "application/json", .cookie: cookie], body: body
            ).expectError(.accessTokenMissing, 401)
            let put = try await client.send(.put, "/v1/account", [.authorization: "Bearer \(token)"])
            try put.expectError(.methodNotAllowed, 405)
            #expect(put.headers[.allow] == "DELETE, GET, HEAD, PATCH")
        }
    }

    @Test("keeps the name that a person typed, and its removal, when Apple gives another one")
    func typedName() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            _ = try await change(client, token, #"{"name":{"givenName":"Ann"}}"#)
            let apples = try await service.nativeCredential(fullName: FullName(givenName: "Johnny"))
            let again: SignInAnswer = try await client.post("/v1/sign-in/apple", json: apples).decode()
            #expect(again.account.name?.formatted == "Ann")
            _ = try await change(client, token, #"{"name":null}"#)
            let later = try await service.nativeCredential(fullName: FullName(givenName: "Johnny"))
            let third: SignInAnswer = try await client.post("/v1/sign-in/apple", json: later).decode()
            #expect(third.account.name == nil)
        }
    }

    @Test("asks for consent where Apple's address is hidden, until the request carries it to the current text")
    func consent() async throws {
        try await withService(sendsMail: true) { client, service in
            let token = try await service.signInNatively(client, hideEmail: true).session.accessToken
            let both = #""phone":"+4930123456","contactEmail":"ann@example.com""#
            let refused = try await client.patch("/v1/account", json: "{\(both)}", token: token)
            let error = try refused.expectError(.consentRequired, 409)
            #expect(
                error.details
                    == .consentRequired(RequiredConsent(purposes: [.contactEmail, .phone], textVersion: "2")))
            let other = try await client.patch(
                "/v1/account", json: #"{\#(both),"consent":{"textVersion":"0"}}"#, token: token)
            try other.expectError(.consentRequired, 409)
            #expect(try await account(client, token).phone == nil)
            let changed = try await change(client, token, #"{\#(both),"consent":{"textVersion":"2"}}"#)
            #expect(changed.phone == "+4930123456" && changed.pendingContactEmail == "ann@example.com")
            // The name says nothing that Apple has hidden.
            #expect(try await change(client, token, #"{"name":{"givenName":"Ann"}}"#).name?.formatted == "Ann")
        }
    }

    @Test("sends a link in the languages of the request, and no more than five a day")
    func mails() async throws {
        try await withService(sendsMail: true) { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            var headers: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(token)"]
            headers[.acceptLanguage] = "en;q=0.5, fr, de-AT;q=0.9"
            let body = ByteBuffer(string: #"{"contactEmail":"ann@example.com"}"#)
            for _ in 0..<5 {
                #expect(try await client.send(.patch, "/v1/account", headers, body: body).status == .ok)
            }
            let refused = try await client.send(.patch, "/v1/account", headers, body: body)
            try refused.expectError(.rateLimited, 429)
            #expect(try #require(refused.headers[.retryAfter].flatMap { Int($0) }) > 60)
            let sent = try await service.mails(.verifyAddress)
            #expect(sent.count == 5 && sent.allSatisfy { $0.languages == ["fr", "de-AT", "en"] })
            #expect(Set(sent.compactMap { $0.values["link"] }).count == 5)
        }
    }

    @Test(
        "takes no contact address where no link can be sent, or leads to a sign-in",
        arguments: [(false, TestService.web), (true, nil)] as [(Bool, ClientID?)])
    func noMail(sendsMail: Bool, webClient: ClientID?) async throws {
        try await withService(webClient: webClient, sendsMail: sendsMail) { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            try await client.patch("/v1/account", json: #"{"contactEmail":"ann@example.com"}"#, token: token)
                .expectError(.mailNotConfigured, 501)
            #expect(try await change(client, token, #"{"contactEmail":null}"#).contactEmail == nil)
            #expect(try await change(client, token, #"{"phone":"+4930123456"}"#).phone == "+4930123456")
        }
    }
}
