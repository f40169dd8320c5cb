import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import Logging
import Testing

@testable import AppleIDEmulator

@Suite("The content of a notification")
struct NotificationContentTests {
    private let app = TestApp()

    @Test("has events as text and times in milliseconds, and expires after a day")
    func content() async throws {
        let emulator = try await app.emulator()
        let token = try await ReceivedToken(emulator.authorize(["hideEmail": true])["id_token"], from: emulator)
        let id = try await emulator.notify(["type": "email-disabled"])
        try await emulator.emulator.deliverNotifications()
        #expect(app.received.map(\.url) == [TestApp.url])
        let received = try await ReceivedToken(app.payloads.first, from: emulator)
        #expect(Set(received.header.keys) == ["kid", "alg"])
        let subject = try #require(token["sub"])
        let email = try #require(token["email"])
        let events =
            #"{\"type\":\"email-disabled\",\"sub\":\"\#(subject)\",\"event_time\":1767225600000,"#
            + #"\"email\":\"\#(email)\",\"is_private_email\":\"true\"}"#
        #expect(
            received.payload
                == #"{"iss":"https://appleid.apple.com","aud":"com.example.juice","exp":1767312000,"#
                + #""iat":1767225600,"jti":"\#(id)","events":"\#(events)"}"#)
        #expect(id.utf8.count == 22)
    }

    @Test(
        "changes in one place for each behaviour",
        arguments: [
            (.with { $0.eventsClaim = .object }, #""events":{"type":"account-delete","#),
            (.with { $0.deletionEvent = .accountDeleted }, #"{\"type\":\"account-deleted\","#),
            (.with { $0.eventTime = .seconds }, #"\"event_time\":1767225600}"#),
            (.with { $0.notificationsOmitExpiry = true }, #""aud":"com.example.juice","iat":"#),
        ] as [(Behaviour, String)])
    func behaviour(_ behaviour: Behaviour, _ text: String) async throws {
        for isOn in [true, false] {
            let app = TestApp()
            let emulator = try await app.emulator { if isOn { $0.behaviour = behaviour } }
            try emulator.accountDeleted()
            try await emulator.emulator.deliverNotifications()
            let received = try await ReceivedToken(app.payloads.first, from: emulator)
            #expect(received.payload.contains(text) == isOn, "\(received.payload)")
        }
    }

    @Test(
        "verifies with the library's notification verifier in every form, and not with its identity verifier",
        arguments: [
            Behaviour(), .with { $0.eventsClaim = .object },
            .with {
                $0.deletionEvent = .accountDeleted
                $0.eventTime = .seconds
            },
            .with { $0.notificationsOmitExpiry = true },
        ],
        [EventType.consentRevoked, .accountDeleted, .emailDisabled, .emailEnabled])
    func library(_ behaviour: Behaviour, _ type: EventType) async throws {
        let emulator = try await app.emulator { $0.behaviour = behaviour }
        let person = try #require(emulator.emulator.portal.people.first)
        try emulator.emulator.core.notifyApps(
            of: AccountEvent(type, of: person, team: "JUICETEAM1", group: "com.example.juice"))
        try await emulator.emulator.deliverNotifications()
        let payload = try #require(try app.payloads.first)

        let client = try AppleIDClient(
            emulator: emulator.emulator, transport: EmulatorTransport(to: emulator.emulator),
            clock: TestClock(emulator.clock.now))
        let notification = try await client.notificationVerifier.verify(
            payload, expecting: NotificationExpectation(audiences: ["com.example.juice"]))
        let identity = PairwiseIdentity(person: person, team: "JUICETEAM1")
        let isAboutEmail = type == .emailDisabled || type == .emailEnabled
        let spelling =
            type == .accountDeleted && behaviour.deletionEvent == .accountDelete ? EventType.accountDelete : type
        #expect(
            notification.event
                == NotificationEvent(
                    type: spelling, subject: identity.subject, time: TestEmulator.start * 1_000,
                    email: isAboutEmail ? identity.relayAddress : nil, isPrivateEmail: isAboutEmail ? true : nil))

        let error = await #expect(throws: AppleIDError.self) {
            try await client.identityVerifier.verify(
                payload, expecting: IdentityExpectation(audiences: ["com.example.juice"], nonce: .noneSent))
        }
        #expect(error?.code == .notAnIdentityToken)
    }

    @Test("has the ordered event type and time unchanged, even an unknown type")
    func order() async throws {
        let emulator = try await app.emulator()
        try await emulator.notify(["type": "account-deleted"])
        try await emulator.notify(["type": "something-new", "eventTime": 1_700_000_000_123])
        try await emulator.emulator.deliverNotifications()
        let payloads = try app.payloads
        #expect(try await ReceivedToken(payloads[0], from: emulator).payload.contains(#"\"account-deleted\""#))
        let second = try await ReceivedToken(payloads[1], from: emulator).payload
        #expect(second.contains(#"\"something-new\""#))
        #expect(second.contains(#"\"event_time\":1700000000123}"#))
    }
}

extension TestEmulator {
    fileprivate func accountDeleted() throws {
        let person = try #require(emulator.portal.people.first)
        try emulator.core.notifyApps(
            of: AccountEvent(.accountDeleted, of: person, team: "JUICETEAM1", group: "com.example.juice"))
    }
}
