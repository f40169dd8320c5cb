import AppleIDTypes
import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("The delivery of a notification")
struct NotificationDeliveryTests {
    @Test(
        "only a status of 200 accepts a notification",
        arguments: [200, 201, 204, 302, 307, 404, 410, 500, nil] as [Int?])
    func acceptance(_ status: Int?) async throws {
        let app = TestApp([status])
        let emulator = try await app.emulator()
        try await emulator.notify()
        #expect(try await emulator.notificationStates == ["queued"])
        try await emulator.emulator.deliverNotifications()
        let shown = try #require(try await emulator.notifications.first)
        #expect(shown["state"] as? String == (status == 200 ? "delivered" : "queued"))
        #expect(shown["url"] as? String == TestApp.url)
        #expect(shown["payload"] as? String == (try app.payloads.first))
        #expect((shown["claims"] as? [String: any Sendable])?["jti"] as? String == shown["id"] as? String)
        let attempt = try #require((shown["attempts"] as? [[String: any Sendable]])?.first)
        #expect(attempt["status"] as? Int == status)
        #expect(attempt["error"] as? String == (status == nil ? "Lost" : nil))
        #expect(attempt["at"] as? Int == Int(TestEmulator.start))
    }

    @Test("a refused notification is tried again at growing intervals of the emulator's clock, and then given up")
    func retries() async throws {
        let app = TestApp(Array(repeating: 503, count: 6))
        let emulator = try await app.emulator()
        try await emulator.notify()
        var times: [Int64] = []
        for delay in [0] + OutgoingNotification.delays {
            emulator.clock.advance(max(delay - 1, 0))
            try await emulator.emulator.deliverNotifications()
            if delay > 0 {
                #expect(app.received.count == times.count, "not a second early")
                emulator.clock.advance(1)
                try await emulator.emulator.deliverNotifications()
            }
            times.append((times.last ?? 0) + delay)
            #expect(app.received.count == times.count)
        }
        #expect(Set(try app.payloads).count == 1, "the token stays the same")
        let shown = try #require(try await emulator.notifications.first)
        #expect(shown["state"] as? String == "failed")
        let attempts = try #require(shown["attempts"] as? [[String: any Sendable]])
        #expect(attempts.map { $0["at"] as? Int } == times.map { Int(TestEmulator.start + $0) })
        emulator.clock.advance(1_000_000)
        try await emulator.emulator.deliverNotifications()
        #expect(app.received.count == 6)
    }

    @Test("an accepted later attempt is the last one")
    func recovery() async throws {
        let app = TestApp([500, nil])
        let emulator = try await app.emulator()
        try await emulator.notify()
        for _ in 0..<10 {
            try await emulator.emulator.deliverNotifications()
            emulator.clock.advance(3_600)
        }
        #expect(app.received.count == 3)
        #expect(try await emulator.notificationStates == ["delivered"])
    }

    @Test("with `triesNotificationsOnce`, there is one attempt")
    func once() async throws {
        let app = TestApp([500])
        let emulator = try await app.emulator { $0.behaviour.triesNotificationsOnce = true }
        try await emulator.notify()
        try await emulator.emulator.deliverNotifications()
        emulator.clock.advance(1_000_000)
        try await emulator.emulator.deliverNotifications()
        #expect(app.received.count == 1)
        #expect(try await emulator.notificationStates == ["failed"])
    }

    @Test("a held notification waits until it is released alone, or with all others in order")
    func holding() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        let before = try await emulator.notify(["type": "email-enabled"])
        let hold = try await emulator.call("/emulator/notifications/hold", [:])
        #expect(try hold.json["held"] as? Bool == true)
        let disabled = try await emulator.notify(["type": "email-disabled"])
        let revoked = try await emulator.notify()
        try await emulator.emulator.deliverNotifications()
        #expect(try await emulator.notificationStates == ["held", "held", "held"])
        #expect(app.received.isEmpty)

        #expect(try await emulator.call("/emulator/notifications/release", ["id": revoked]).status == 200)
        try await emulator.emulator.deliverNotifications()
        #expect(try await emulator.notificationStates == ["held", "held", "delivered"])
        let release = try await emulator.call("/emulator/notifications/release", [:])
        #expect(try release.json["held"] as? Bool == false)
        try await emulator.emulator.deliverNotifications()
        var ids: [String?] = []
        for payload in try app.payloads { ids.append(try await ReceivedToken(payload, from: emulator)["jti"]) }
        #expect(ids == [revoked, before, disabled])
    }

    @Test("a replay is the same notification again")
    func replay() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        let id = try await emulator.notify()
        try await emulator.emulator.deliverNotifications()
        emulator.clock.advance(10)
        #expect(try await emulator.call("/emulator/notifications/\(id)/replay", [:]).status == 200)
        try await emulator.emulator.deliverNotifications()
        let payloads = try app.payloads
        #expect(payloads.count == 2)
        #expect(payloads[0] == payloads[1])
        #expect(try await emulator.notifications.count == 1)
    }

    @Test("only the last attempts of a replayed notification are kept")
    func manyReplays() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        let id = try await emulator.notify()
        try await emulator.emulator.deliverNotifications()
        for _ in 0..<60 {
            emulator.clock.advance(1)
            #expect(try await emulator.call("/emulator/notifications/\(id)/replay", [:]).status == 200)
            try await emulator.emulator.deliverNotifications()
        }
        #expect(app.received.count == 61)
        let attempts = try #require(try await emulator.notifications[0]["attempts"] as? [[String: any Sendable]])
        #expect(attempts.map { $0["at"] as? Int } == (11...60).map { Int(TestEmulator.start) + $0 })
    }

    @Test("a notification without a URL isn't sent, and a replay goes to a URL that is registered later")
    func unaddressed() async throws {
        let app = TestApp()
        let emulator = try await TestEmulator(deliver: { try app.answer($0) })
        let id = try await emulator.notify()
        try await emulator.emulator.deliverNotifications()
        #expect(try await emulator.notificationStates == ["unaddressed"])
        let url = "http://localhost:4000/apple/notifications"
        let answer = try await emulator.call(
            "/emulator/notifications/address", ["clientID": "com.example.juice", "url": url])
        #expect(answer.status == 200)
        #expect(emulator.emulator.portal.teams[0].apps[0].notificationURL == url)
        #expect(try await emulator.call("/emulator/notifications/\(id)/replay", [:]).status == 200)
        try await emulator.emulator.deliverNotifications()
        #expect(app.received.map(\.url) == [url])
        try await emulator.emulator.register(notificationURL: nil, for: "com.example.juice")
        try await emulator.notify()
        #expect(try await emulator.notificationStates == ["delivered", "unaddressed"])
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let path: String
        let members: [String: any Sendable]
        let status: Int
        let error: String
        var testDescription: String { "\(path) \(members)" }
    }

    @Test(
        "a call that fails says why",
        arguments: [
            Case(path: "", members: [:], status: 400, error: "invalid_request"),
            Case(path: "", members: ["type": ""], status: 400, error: "invalid_request"),
            Case(path: "", members: ["type": "x", "person": "johnny"], status: 400, error: "invalid_request"),
            Case(
                path: "", members: ["type": "x", "person": "nobody", "clientID": "com.example.juice"], status: 404,
                error: "unknown_person"),
            Case(
                path: "", members: ["type": "x", "person": "johnny", "clientID": "y"], status: 400,
                error: "invalid_client"),
            Case(
                path: "",
                members: ["type": "x", "person": "johnny", "clientID": "com.example.juice", "eventTime": "soon"],
                status: 400, error: "invalid_request"),
            Case(path: "/nothing/replay", members: [:], status: 404, error: "unknown_notification"),
            Case(path: "/release", members: ["id": "nothing"], status: 404, error: "unknown_notification"),
            Case(path: "/address", members: ["url": "https://a.example"], status: 400, error: "invalid_request"),
            Case(
                path: "/address", members: ["clientID": "com.example.juice.web", "url": "https://a.example"],
                status: 400, error: "invalid_request"),
            Case(
                path: "/address", members: ["clientID": "com.example.juice", "url": "http://a.example"], status: 400,
                error: "invalid_request"),
        ])
    func refused(_ example: Case) async throws {
        let emulator = try await TestApp().emulator()
        let answer = try await emulator.call("/emulator/notifications" + example.path, example.members)
        #expect(answer.status == example.status, "\(answer.text)")
        #expect(answer.error == example.error)
        #expect(try await emulator.notifications.isEmpty)
    }

    @Test("the queue is bounded: finished notifications leave first, and lost ones are counted")
    func bound() throws {
        var queue = NotificationQueue(capacity: 3)
        func notification(_ id: String) -> OutgoingNotification {
            OutgoingNotification(
                id: id, type: .consentRevoked, audience: "a", address: "https://\(id).example", createdAt: 0,
                claims: .object([]), payload: "", state: .waiting(until: id == "b" ? 0 : 9))
        }
        for id in ["a", "b", "c"] { queue.add(notification(id)) }
        #expect(queue.takeNext(at: 0)?.id == "b")
        #expect(queue.takeNext(at: 0)?.id == nil, "nothing is taken twice")
        queue.finish("b", .status(200), at: 0, deliversOnce: false)
        queue.add(notification("d"))
        #expect(queue.entries.map(\.id) == ["a", "c", "d"])
        #expect(queue.dropped == 0)
        queue.add(notification("e"))
        #expect(queue.entries.map(\.id) == ["c", "d", "e"])
        #expect(queue.dropped == 1)
        for id in ["c", "d", "e"] { #expect(queue.takeNext(at: 9)?.id == id) }
        #expect(throws: Refusal.self) { try queue.replay("c", to: [:], at: 9) }
        queue.giveBack("c", at: 9)
        #expect(queue.takeNext(at: 9)?.id == "c")
    }
}
