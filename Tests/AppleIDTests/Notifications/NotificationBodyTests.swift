import AppleIDTypes
import Foundation
import Testing

@testable import AppleID

@Suite("Apple's request that carries a notification")
struct NotificationBodyTests {
    let verifier: NotificationVerifier
    let expectation = NotificationExpectation(audiences: [TestClaims.audience])

    init() throws {
        verifier = NotificationVerifier(
            keys: try KeyCache(fixed: TestSigner.shared.keySetJSON()), environment: TestClock().environment)
    }

    private func verify(_ claims: TestClaims) async throws -> VerifiedNotification {
        let payload = try TestSigner.shared.token(claims)
        return try await verifier.verify(
            body: Array(#"{"more":[{}],"payload":"\#(payload)"}"#.utf8), expecting: expectation)
    }

    @Test("The payload is read from the body, and other members are ignored")
    func body() async throws {
        #expect(try await verify(.notification()).id == "id-1")
    }

    @Test(
        "Another body is malformed",
        arguments: [
            "", "{}", "[]", "null", #"{"payload":5}"#, #"{"payload":null}"#, #"{"payload":"a","payload":"b"}"#,
            #"{"payload":"a.b.c"}"#, "payload=a.b.c", #"{"payload":"\u0000"}"#, #"{"payload":{"events":{}}}"#,
        ])
    func malformed(body: String) async {
        await #expect(throws: AppleIDError(.malformedToken, "")) {
            try await verifier.verify(body: Array(body.utf8), expecting: expectation)
        }
    }

    @Test("A body beyond the size limit is refused")
    func tooLarge() async {
        let body = [UInt8](repeating: UInt8(ascii: " "), count: 65_537)
        await #expect(throws: AppleIDError(.tokenTooLarge, "")) {
            try await verifier.verify(body: body, expecting: expectation)
        }
    }

    @Test("A subject and a nonce beside the events are ignored: the event's own subject counts")
    func topLevel() async throws {
        for sub in ["\"somebody.else\"", "\"\"", "5", "null"] {
            let notification = try await verify(.notification(["sub": sub, "nonce": "\"n\""]))
            #expect(notification.event.subject == "001234.abc.5678")
        }
    }

    @Test(
        "An event becomes a change to act on, and both spellings of a deletion are one change",
        arguments: [
            ("email-disabled", .emailDisabled(address: "r@x.com")),
            ("email-enabled", .emailEnabled(address: "r@x.com")),
            ("consent-revoked", .consentRevoked), ("account-delete", .accountDeleted),
            ("account-deleted", .accountDeleted), ("Account-Deleted", .other), ("something-new", .other),
        ] as [(String, AccountChange)])
    func change(type: String, change: AccountChange) async throws {
        let event = #"{"type":"\#(type)","sub":"s","event_time":1700000000,"email":"r@x.com"}"#
        #expect(try await verify(.notification(["events": event])).change == change)
    }
}
