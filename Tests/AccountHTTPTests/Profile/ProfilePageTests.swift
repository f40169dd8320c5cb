import AccountAPI
import AccountHTTP
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("The page of a profile", .eachEngine)
struct ProfilePageTests {
    private func post(
        _ client: TestClient, _ member: String, _ form: String, _ cookie: String
    ) async throws -> TestResponse {
        try await client.post(
            "/account/profile/\(member)", form: form, cookies: [cookie], site: "same-origin")
    }

    @Test("saves the name and the number, and says so")
    func saves() async throws {
        try await withService(sendsMail: true) { client, service in
            let cookie = try await service.signInWithBrowser(client, firstName: "Johnny")
            let page = try await client.page("/account/profile", cookies: [cookie])
            #expect(page.status == .ok && page.text.contains(#"value="Johnny""#))
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(!page.text.contains(#"type="checkbox""#), "Apple's address isn't hidden")

            let named = try await post(client, "name", "givenName=Ann+%22A%22&familyName=&nickname=Annie", cookie)
            #expect(named.status == .seeOther && named.headers[.location] == "/account/profile?saved")
            let after = try await client.page("/account/profile?saved", cookies: [cookie]).text
            #expect(after.contains("Your profile is saved.") && after.contains(#"value="Ann &quot;A&quot;""#))
            #expect(after.contains("<details open>") && after.contains(#"value="Annie""#))

            // As people write numbers.
            let phoned = try await post(client, "phone", "phone=+%2B49+(0)+30%2F12-34+56", cookie)
            #expect(phoned.headers[.location] == "/account/profile?saved")
            #expect(try await client.page("/account/profile", cookies: [cookie]).text.contains("+4930123456"))
            #expect(try await client.page("/account", cookies: [cookie]).text.contains("+4930123456"))

            _ = try await post(client, "phone", "phone=nonsense&remove=yes", cookie)
            _ = try await post(client, "name", "givenName=Ann&remove=yes", cookie)
            let bare = try await client.page("/account/profile", cookies: [cookie]).text
            #expect(!bare.contains("+4930123456") && !bare.contains("Ann"))
        }
    }

    @Test("shows a mistake beside its field, and keeps what was typed")
    func mistakes() async throws {
        try await withService(sendsMail: true) { client, service in
            let cookie = try await service.signInWithBrowser(client, firstName: "Johnny")
            let phone = try await post(client, "phone", "phone=030+123%3Cb%3E", cookie)
            #expect(phone.status == .badRequest && phone.text.contains("This is not a phone number"))
            #expect(phone.text.contains(#"value="030 123&lt;b&gt;" aria-invalid="true""#))
            for typed in ["", "nobody", "a@b@c"] {
                let address = try await post(client, "contact-email", "contactEmail=\(typed)", cookie)
                #expect(address.status == .badRequest && address.text.contains("This is not an email address."))
                #expect(address.text.contains(#"value="\#(typed)" aria-invalid"#))
            }
            // The other fields are as they were saved.
            #expect(phone.text.contains(#"value="Johnny""#))
        }
    }

    @Test("sends a link to a new address, sends it again, and calls it off")
    func contact() async throws {
        try await withService(sendsMail: true) { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let sent = try await post(client, "contact-email", "contactEmail=+ann%40example.com+", cookie)
            #expect(sent.headers[.location] == "/account/profile?sent")
            let page = try await client.page("/account/profile?sent", cookies: [cookie]).text
            #expect(page.contains("ann<wbr>@example.com") && page.contains("Not confirmed yet"))
            let again = try await post(client, "contact-email", "contactEmail=&again=yes", cookie)
            #expect(again.headers[.location] == "/account/profile?sent")
            #expect(try await service.mails(.verifyAddress).map(\.recipient) == ["ann@example.com", "ann@example.com"])
            for _ in 0..<3 { _ = try await post(client, "contact-email", "again=yes", cookie) }
            let refused = try await post(client, "contact-email", "again=yes", cookie)
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] != nil)
            #expect(refused.text.contains("We have sent too many mails today."))
            let gone = try await post(client, "contact-email", "remove=yes", cookie)
            #expect(gone.headers[.location] == "/account/profile?saved")
            #expect(!(try await client.page("/account/profile", cookies: [cookie]).text.contains("ann<wbr>")))
            // The page of another tab still has the button.
            let late = try await post(client, "contact-email", "again=yes", cookie)
            #expect(late.status == .notFound && late.text.contains("No address waits for a link any more."))
            #expect(late.text.contains("Your profile</h1>"), "\(late.text)")
        }
    }

    @Test("shows the text where consent is needed, and saves once the box is ticked")
    func consent() async throws {
        try await withService(sendsMail: true) { client, service in
            let cookie = try await service.signInWithBrowser(client, hideEmail: true)
            var headers: HTTPFields = [.cookie: cookie]
            headers[.acceptLanguage] = "de"
            let page = try await client.send(.get, "/account/profile", headers).text
            #expect(page.contains(#"lang="de""#) && page.contains(#"type="checkbox" required value="2""#))
            let refused = try await post(client, "phone", "phone=%2B4930123456", cookie)
            #expect(refused.status == .conflict && refused.text.contains("agree to the text above"))
            #expect(refused.text.contains(#"value="+4930123456""#))
            let older = try await post(client, "phone", "phone=%2B4930123456&consent=0", cookie)
            #expect(older.status == .conflict)
            // A mistake elsewhere in the form leaves the box ticked.
            let mistyped = try await post(client, "phone", "phone=x&consent=2", cookie)
            #expect(mistyped.status == .badRequest && mistyped.text.contains(#"value="2" checked"#))
            // The person has read another text than the page shows now.
            let outdated = try await post(client, "phone", "phone=x&consent=1", cookie)
            #expect(outdated.status == .badRequest && !outdated.text.contains(" checked"))
            let saved = try await post(client, "phone", "phone=%2B4930123456&consent=2", cookie)
            #expect(saved.headers[.location] == "/account/profile?saved")
            // Agreed for the number alone.
            let after = try await client.page("/account/profile", cookies: [cookie]).text
            #expect(after.contains(#"id="consent-contact""#) && !after.contains(#"id="consent-phone""#))
            let sent = try await post(client, "contact-email", "contactEmail=ann%40example.com&consent=2", cookie)
            #expect(sent.headers[.location] == "/account/profile?sent")
            #expect(!(try await client.page("/account/profile", cookies: [cookie]).text.contains("checkbox")))
        }
    }

    @Test("offers no contact address where the service sends no mail")
    func noMail() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let page = try await client.page("/account/profile", cookies: [cookie]).text
            #expect(page.contains("This service sends no mail") && !page.contains(#"name="contactEmail""#))
            try await post(client, "contact-email", "contactEmail=ann%40example.com", cookie)
                .expectErrorPage(501, "We can’t send mail")
        }
    }

    @Test(
        "accepts only this site's own forms, and only from a signed-in person",
        arguments: ["name", "contact-email", "phone"])
    func barriers(member: String) async throws {
        try await withService(sendsMail: true) { client, service in
            let cookie = try await service.signInWithBrowser(client, firstName: "Johnny")
            let path = "/account/profile/\(member)"
            for site in ["cross-site", "same-site", "none"] {
                try await client.post(path, form: "remove=yes", cookies: [cookie], site: site)
                    .expectErrorPage(403, "That came from somewhere else")
            }
            try await client.post(path, form: "remove=yes", cookies: [cookie], origin: "https://example.com")
                .expectErrorPage(403, "That came from somewhere else")
            #expect(try await client.page("/account/profile", cookies: [cookie]).text.contains("Johnny"))
            let anonymous = try await client.post(path, form: "remove=yes", site: "same-origin")
            #expect(anonymous.headers[.location] == "/?return=/account/profile")
            let token = try await service.signInNatively(client).session.accessToken
            let bearer = try await client.send(.get, "/account/profile", [.authorization: "Bearer \(token)"])
            #expect(bearer.headers[.location] == "/?return=/account/profile")
            #expect(try await client.send(.get, path, [.cookie: cookie]).status == .methodNotAllowed)
        }
    }

    @Test("is the same to HEAD, without a body")
    func head() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            for path in ["/account/profile", "/account/consents"] {
                let answer = try await client.send(.head, path, [.cookie: cookie])
                #expect(answer.status == .ok && answer.body.readableBytes == 0)
            }
        }
    }
}
