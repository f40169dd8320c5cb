import AccountDatabase
import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A person who says that a sign-in was not theirs", .eachEngine)
struct NotMeTests {
    @Test("ends later sessions of that device, too, and no others")
    func later() async throws {
        let system = try await MailSystem()
        let own = try await system.signIn(on: "iPhone").session.id
        system.clock.advance(.seconds(1))
        let first = try await system.signIn(on: "iPad").session.id
        let link = try await system.notMeLink()
        system.clock.advance(.seconds(1))
        let second = try await system.signIn(on: "iPad").session.id
        let elsewhere = try await system.signIn(on: "iPad", client: "com.example.juice.other").session.id
        let person = try await system.signIn(.sample("someone.else"), on: "iPad").session.id
        #expect(try await system.domain.sessions.signIn(ofLink: link)?.session.id == first)
        #expect(try await system.domain.sessions.end(ofLink: link, from: .unknown) == [first, second])
        for session in [first, second] {
            #expect(try await system.store.session(session)?.ended?.reason == .notMe)
        }
        for session in [own, elsewhere, person] { #expect(try await system.store.session(session)?.ended == nil) }
    }

    @Test("ends the session that has replaced the first one")
    func replaced() async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone", kind: .browser)
        let session = try await system.signIn(on: "iPad", kind: .browser).session
        let link = try await system.notMeLink()
        system.clock.advance(.minutes(1))
        let ending = SessionEnding(at: system.now, reason: .replaced, by: .service())
        #expect(try await system.store.endSession(session.id, ending))
        let successor = try await system.signIn(on: "iPad", kind: .browser).session.id
        #expect(try await system.domain.sessions.signIn(ofLink: link)?.session.id == successor)
        #expect(try await system.domain.sessions.end(ofLink: link, from: .unknown) == [successor])
        #expect(try await system.domain.sessions.signIn(ofLink: link)?.state == .disowned)
        // None of these makes the device a known one.
        system.clock.advance(.days(1))
        let again = try await system.signIn(on: "iPad", kind: .browser).session.id
        let next = try await system.notMeLink()
        system.clock.advance(.minutes(1))
        try await system.signIn(on: "iPad", kind: .browser)
        #expect(try await system.deliver().isEmpty)
        #expect(try await system.domain.sessions.signIn(ofLink: next)?.session.id == again)
    }

    @Test("gets a mail about the next sign-in there as on a new device")
    func nextSignIn() async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone")
        try await system.signIn(on: "iPad")
        let link = try await system.notMeLink()
        #expect(try await system.domain.sessions.end(ofLink: link, from: .unknown)?.count == 1)
        system.clock.advance(.days(1))
        try await system.signIn(on: "iPad")
        #expect(try await system.deliver().map(\.kind) == [.newDevice])
        try await system.signIn(on: "iPhone")
        #expect(try await system.deliver().isEmpty)
    }

    @Test("disowns a device that is already signed out, too, and gets a mail about the next sign-in there")
    func signedOut() async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone")
        let session = try await system.signIn(on: "iPad").session
        let link = try await system.notMeLink()
        #expect(try await system.store.endSession(session.id, .sample(at: system.now)))
        let signIn = try #require(try await system.domain.sessions.signIn(ofLink: link))
        #expect(signIn.session.id == session.id && signIn.state == .ended)
        let caller = Caller(address: "192.0.2.8")
        for _ in 0..<2 { #expect(try await system.domain.sessions.end(ofLink: link, from: caller) == []) }
        #expect(try await system.domain.sessions.signIn(ofLink: link)?.state == .disowned)
        let entries = try await system.store.auditEntries(of: session.accountID, before: nil, limit: 9)
        let disowned = entries.filter { $0.event == .sessionDisowned }
        #expect(disowned.map(\.subject) == [session.id.rawValue])
        #expect(disowned.first?.actor == .account(through: nil, from: caller))
        system.clock.advance(.days(1))
        try await system.signIn(on: "iPad")
        #expect(try await system.deliver().map(\.kind) == [.newDevice])
        #expect(try await system.domain.sessions.signIn(ofLink: link)?.state == .live)
    }

    @Test("ends the session of a browser that has reauthenticated under another name")
    func reauthenticated() async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone", kind: .browser)
        let former = try await system.signIn(on: "Chrome on Linux", kind: .browser).session
        let link = try await system.notMeLink()
        system.clock.advance(.minutes(1))
        var successor = SignInRecord.NewSession.sample(.browser, at: system.now, expiresAt: system.now + .days(30))
        successor.deviceName = DeviceName(cleaning: "iPhone")
        var record = ReauthenticationRecord.sample(of: former.id, at: system.now)
        record.successor = successor
        let session = try await system.store.reauthenticate(record)
        #expect(session.deviceName == former.deviceName)
        #expect(try await system.domain.sessions.end(ofLink: link, from: .unknown) == [successor.id])
    }

    @Test("ends a session whose device has another name since")
    func renamed() async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone")
        let first = try await system.signIn(on: "iPad").session.id
        let link = try await system.notMeLink()
        system.clock.advance(.minutes(1))
        _ = try await system.store.write { connection in
            try connection.execute("UPDATE sessions SET device_name = 'iMac' WHERE id = ?1", [.id(first)])
        }
        let (second, third) = try await (system.signIn(on: "iPad").session.id, system.signIn(on: "iMac").session.id)
        #expect(try await system.domain.sessions.end(ofLink: link, from: .unknown) == [first, second, third])
    }
}
