import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

@Suite("Notifications from the emulator")
struct NotificationTests {
    private let expectation = NotificationExpectation(audiences: ["com.example.juice"])

    @Test(
        "say what happened, in every form that Apple's take",
        arguments: [
            [], ["events-as-object"], ["account-deleted"], ["event-time-in-seconds"], ["notification-without-exp"],
            ["events-as-object", "account-deleted", "event-time-in-seconds", "notification-without-exp"],
        ] as [[String]])
    func changes(quirks: [String]) async throws {
        let apple = try await AppleSide(behaviour: Behaviour(quirks: quirks))
        let subject = try await apple.signIn().identity.subject
        try await apple.control(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.juice"])
        _ = try await apple.signIn()
        try await apple.control("/emulator/people/delete", ["person": "johnny"])
        var changes: [AccountChange] = []
        for body in try await apple.notifications() {
            let notification = try await apple.client.notificationVerifier.verify(body: body, expecting: expectation)
            #expect(notification.event.subject == subject)
            #expect(notification.event.time == Int64(apple.clock.now.timeIntervalSince1970) * 1_000)
            changes.append(notification.change)
        }
        #expect(changes == [.consentRevoked, .accountDeleted])
    }

    @Test("are accepted once with a replay memory, and not after they expire")
    func replay() async throws {
        let apple = try await AppleSide()
        _ = try await apple.signIn()
        try await apple.control(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.juice"])
        let body = try #require(try await apple.notifications().first)
        let memory = InMemoryReplayMemory(environment: apple.clock.appleIDEnvironment)
        func code() async throws -> AppleIDError.Code? {
            try await appleFailure {
                let verifier = apple.client.notificationVerifier
                let notification = try await verifier.verify(body: body, expecting: expectation)
                guard try await memory.insert(ReplayIdentifier(notification)) else {
                    throw AppleIDError(.tokenReplayed, "told before")
                }
            }?.code
        }
        #expect(try await code() == nil)
        #expect(try await code() == .tokenReplayed)
        apple.clock.advance(by: .seconds(8 * 86_400))
        #expect(try await code() == .tokenExpired)
    }
}
