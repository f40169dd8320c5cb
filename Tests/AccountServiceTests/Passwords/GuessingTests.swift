import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Guessing passwords", .eachEngine)
struct GuessingTests {
    private let wrong = Password("not the right password 1")

    @Test(
        "The sixth wrong password makes the next one wait a second, and the wait doubles up to fifteen minutes",
        arguments: [(1, 0), (5, 0), (6, 1), (7, 2), (8, 4), (15, 512), (16, 900), (17, 900), (1_000_000, 900)])
    func waits(count: Int, seconds: Int) {
        #expect(PasswordFailureRules.wait(after: Int64(count)) == .seconds(seconds))
    }

    @Test("Known and unknown addresses wait alike, whatever their spelling", arguments: [true, false])
    func alike(isKnown: Bool) async throws {
        let system = try await PasswordSystem()
        if isKnown { _ = try await system.makeAccount() }
        for spelling in ["zoe@example.com", "ZOE@example.com", "zoe@EXAMPLE.com", "Zoe@example.com", "zoe@example.com"]
        {
            await expectError(.wrongCredentials) {
                try await system.signIn(spelling, password: wrong, from: network(spelling))
            }
        }
        var codes: [String] = []
        for second in 0..<7 {
            let error = await #expect(throws: AccountError.self) {
                try await system.signIn(password: wrong, from: network("\(second)"))
            }
            codes.append("\(error?.code.description ?? "") \(error?.retryAfter?.components.seconds ?? 0)")
            system.clock.advance(by: .seconds(1))
        }
        #expect(
            codes == [
                "wrong_credentials 0", "wrong_credentials 0", "rate_limited 1", "wrong_credentials 0", "rate_limited 3",
                "rate_limited 2", "rate_limited 1",
            ])
    }

    /// A network of its own for each text.
    private func network(_ text: String) -> String { "network of \(text)" }

    @Test("A refused try is not counted, and the right password is taken after the wait and ends the count")
    func success() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        for index in 0..<6 {
            await expectError(.wrongCredentials) {
                try await system.signIn(password: wrong, from: network("\(index)"))
            }
        }
        for _ in 0..<50 { await expectError(.rateLimited) { try await system.signIn(from: network("x")) } }
        system.clock.advance(by: .seconds(1))
        try await system.signIn(from: network("x"))
        for index in 0..<6 {
            await expectError(.wrongCredentials) {
                try await system.signIn(password: wrong, from: network("\(index)"))
            }
        }
        await expectError(.rateLimited) { try await system.signIn(from: network("x")) }
    }

    @Test("Wrong passwords from one network make it wait for every address, and no other network")
    func networks() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        for index in 0..<6 {
            await expectError(.wrongCredentials) {
                try await system.signIn("nobody\(index)@example.com", password: wrong, from: "192.0.2.9")
            }
        }
        let error = await expectError(.rateLimited) { try await system.signIn(from: "192.0.2.9") }
        #expect(error?.retryAfter == .seconds(1))
        try await system.signIn(from: "192.0.2.10")
        system.clock.advance(by: .seconds(1))
        try await system.signIn(from: "192.0.2.9")
    }

    @Test("Half of a network's count is forgotten at each full hour")
    func halved() {
        let moment = Timestamp(secondsSince1970: 3_600 * 1_000)
        for (count, seconds, left) in [
            (16, -1, 8), (16, 0, 16), (16, 3_599, 16), (16, 3_600, 8), (17, 7_200, 4), (1, 3_600, 0), (16, -7_200, 4),
        ] as [(Int64, Int, Int64)] {
            let (last, now) = seconds < 0 ? (moment - .seconds(-seconds), moment) : (moment, moment + .seconds(seconds))
            #expect(PasswordFailureRules.halved(count, since: last, at: now) == left, "\(count) \(seconds)")
        }
        #expect(
            PasswordFailureRules.halved(4_095, since: moment, at: moment + PasswordFailureRules.networkRetention) == 0)
    }

    /// As many wrong passwords as a network gets in, if it goes on whenever it may, or rests after a number of them.
    @Test("A network has at most ten guesses an hour, however it spreads them", arguments: [0, 1, 2, 3])
    func pace(rest: Int64) {
        for most in 5...25 as ClosedRange<Int64> {
            var (now, count, tries) = (Timestamp(secondsSince1970: 0), Int64(0), 0)
            let end = Timestamp(secondsSince1970: 0) + .days(10)
            while now < end {
                count += 1
                tries += 1
                let last = now
                now = now + max(PasswordFailureRules.wait(after: count), .milliseconds(10))
                if rest > 0, count >= most { now = max(now, last + .hours(rest)) }
                count = PasswordFailureRules.halved(count, since: last, at: now)
            }
            #expect(tries <= 10 * 24 * 10, "\(most)")
        }
    }

    @Test("One wrong password in each quarter of an hour makes the others of the network wait two seconds at most")
    func shared() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        for _ in 0..<40 {
            await expectError(.wrongCredentials) { try await system.signIn("nobody@example.com", password: wrong) }
            system.clock.advance(by: .seconds(2))
            try await system.signIn()
            system.clock.advance(by: .minutes(15) - .seconds(2))
        }
    }

    @Test("Guesses at the same moment all count, and no more than six of them are checked")
    func race() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let wrong = wrong
        let codes = try await atOnce(12) { index in
            do {
                try await system.signIn(password: wrong, from: "192.0.2.\(index)")
                return "signed in"
            } catch let error as AccountError {
                return error.code.description
            }
        }
        #expect(codes.count { $0 == "wrong_credentials" } == 6 && codes.count { $0 == "rate_limited" } == 6)
    }

    @Test("After a hundred in a row the password is off until it is reset, and Apple's ways are never hindered")
    func off() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        for count in 1...100 {
            await expectError(.wrongCredentials) {
                try await system.signIn(password: wrong, from: network("\(count)"))
            }
            system.clock.advance(by: .minutes(15))
        }
        await system.domain.finishing.idle()
        #expect(try await system.domain.waysIn(of: session.account.id).isOff)
        let revision = try await revision(of: session.account.id, system)
        #expect(try await system.events(of: session.account.id).suffix(1) == [.passwordOff])
        #expect(try await system.audit(of: session.account.id).contains(.passwordOff))
        let mails = try await system.mails(.passwordOff)
        #expect(mails.map(\.recipient) == [PasswordSystem.address])
        #expect(mails.first?.values["link"] == "http://localhost:4000/forgotten")
        // The answers are those of an address that nobody has.
        await expectError(.wrongCredentials) { try await system.signIn(from: network("right")) }
        let waiting = await expectError(.rateLimited) { try await system.signIn(from: network("right")) }
        #expect(waiting?.retryAfter == .minutes(15))
        #expect(try await system.mails(.passwordOff).count == 1)
        #expect(try await self.revision(of: session.account.id, system) == revision, "it is off already")

        _ = try await system.signInWithApple()
        try await system.finishSignIn(system.signInLink(), email: PasswordSystem.address)
        #expect(try await system.end(of: session) == nil)

        let reset = try await system.resetLink()
        try await system.passwords.finishReset(reset, newPassword: PasswordSystem.otherPassword, from: .unknown)
        try await system.signIn(password: PasswordSystem.otherPassword, from: network("right"))
    }

    @Test(
        "The hundredth wrong password turns nothing off if its check ends after a reset or a sign-in",
        arguments: [true, false])
    func offTooLate(isReset: Bool) async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount().account.id
        let form = try EmailForm(EmailAddress(PasswordSystem.address))
        func version() async throws -> Int64 {
            try #require(try await system.store.emailIdentity(of: form)?.password?.version)
        }
        let tried = try await version()
        let last = try await system.reserveHundred()
        if isReset {
            try await system.passwords.finishReset(
                system.resetLink(), newPassword: PasswordSystem.otherPassword, from: .unknown)
        } else {
            system.clock.advance(by: .minutes(15))
            try await system.signIn(from: network("right"))
        }
        #expect(try await system.store.turnPasswordOff(last, tried, mail: nil, from: .unknown) == nil)
        #expect(try await !system.domain.waysIn(of: account).isOff)
        guard isReset else { return }
        let again = try await system.reserveHundred()
        #expect(try await system.store.turnPasswordOff(again, tried, mail: nil, from: .unknown) == nil)
        #expect(try await system.store.turnPasswordOff(again, version(), mail: nil, from: .unknown) == account)
    }

    @Test("Reauthentication and change of the password count like a sign-in")
    func inSession() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        // Until then the session's change may be a repeat, so its new password is tried, too, and counts.
        system.clock.advance(by: Passwords.repeatLimit)
        for _ in 0..<3 {
            await expectError(.wrongCredentials) {
                _ = try await system.passwords.reauthenticate(session, password: wrong, from: .unknown)
            }
            await expectError(.wrongCredentials) {
                try await system.passwords.change(
                    current: wrong, to: PasswordSystem.otherPassword, endingOthers: false, in: session, from: .unknown)
            }
        }
        await expectError(.rateLimited) {
            _ = try await system.passwords.reauthenticate(session, password: PasswordSystem.password, from: .unknown)
        }
        await expectError(.rateLimited) { try await system.signIn() }
    }

    private func revision(of account: AccountID, _ system: PasswordSystem) async throws -> Int64? {
        try await system.store.read { connection in
            try connection.first("SELECT revision FROM accounts WHERE id = ?1", [.id(account)]) { try $0.int64() }
        }
    }

    private func attempt(_ system: PasswordSystem) throws -> PasswordTry {
        PasswordTry(
            form: try EmailForm(EmailAddress(PasswordSystem.address)), account: TokenHash(of: "account"),
            network: TokenHash(of: "network"), at: system.now)
    }

    @Test("A try whose password was not hashed doesn't count, and its release keeps the wait of a later one")
    func release() async throws {
        let system = try await PasswordSystem()
        var early: [PasswordTry] = []
        for count in 1...5 {
            early.append(try attempt(system))
            #expect(try await system.store.reserve(early[count - 1]) == Int64(count))
            system.clock.advance(by: .milliseconds(1))
        }
        #expect(try await system.store.reserve(attempt(system)) == 6)
        try await system.store.release(early[0])
        await expectError(.rateLimited) { _ = try await system.store.reserve(attempt(system)) }
        system.clock.advance(by: .seconds(1))
        let last = try attempt(system)
        #expect(try await system.store.reserve(last) == 6)
        try await system.store.release(last)
        #expect(try await system.store.reserve(attempt(system)) == 6, "nobody had to wait before it")
    }

    @Test("A try that finds the queue full, or whose caller leaves it, is refused for now and not counted")
    func busy() async throws {
        let gate = ThreadGate()
        let system = try await PasswordSystem(willHash: { _ in gate.pass() })
        let hasher = system.passwords.hasher
        let network = CountedNetwork(of: "192.0.2.1")
        // One network has all places, so a further request of that network gets none.
        let others = (0..<16).map { _ in Task { try await hasher.hash(PasswordSystem.password, of: network) } }
        await until { hasher.running == 1 && hasher.waiting == 15 }
        for _ in 0..<4 {
            let waiting = Task { [wrong] in try await system.signIn(password: wrong) }
            await until { hasher.waiting == 16 }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            await system.domain.finishing.idle()
        }
        let last = Task { try await hasher.hash(PasswordSystem.password, of: network) }
        await until { hasher.waiting == 16 }
        for _ in 0..<4 {
            let error = await expectError(.tooBusy) { try await system.signIn(password: wrong) }
            #expect(error?.retryAfter == .seconds(1))
            await system.domain.finishing.idle()
        }
        gate.open()
        for task in others + [last] { _ = try await task.value }
        for _ in 0..<6 { await expectError(.wrongCredentials) { try await system.signIn(password: wrong) } }
        await expectError(.rateLimited) { try await system.signIn(password: wrong) }
    }

    @Test("A right password of a refused sign-in doesn't count as a wrong one")
    func refused() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        _ = try await system.domain.directory.disable(session.account.id)
        for _ in 0..<9 { await expectError(.accountDisabled) { try await system.signIn() } }
        _ = try await system.domain.directory.enable(session.account.id)
        try await system.signIn()
    }

    @Test("A stranger's guesses and requests don't keep the person from a link by mail")
    func lockout() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        func request(from network: String) async throws {
            try await system.passwords.requestSignInLink(
                email: PasswordSystem.address, browser: nil, returnPath: nil, from: Caller(address: network))
            await system.domain.finishing.idle()
        }
        for count in 1...100 {
            await expectError(.wrongCredentials) { try await system.signIn(password: wrong, from: network("\(count)")) }
            system.clock.advance(by: .minutes(15))
        }
        for _ in 0..<7 { try await request(from: "198.51.100.1") }
        #expect(try await system.mails(.signInLink).count == 5)
        let done = try await system.finishSignIn(system.signInLink(), email: PasswordSystem.address)
        #expect(done.account.id == session.account.id)
        // All networks together have a limit, and the person's own session is free of it.
        for network in 2...9 { for _ in 0..<5 { try await request(from: "198.51.100.\(network)") } }
        #expect(try await system.mails().count { [.signInLink, .signUp].contains($0.kind) } == 31)
        let own = try await system.session(of: done)
        for _ in 0..<7 {
            try await system.passwords.requestSignInLink(
                in: own, browser: nil, returnPath: nil, from: PasswordSystem.caller)
            await system.domain.finishing.idle()
        }
        #expect(try await system.mails(.signInLink).count == 35)
        // A password that is off is set anew by a link that the person asks for in their session.
        system.clock.advance(by: .hours(25))
        for network in 2...8 { for _ in 0..<5 { try await request(from: "198.51.100.\(network)") } }
        try await system.passwords.requestReset(in: own, browser: nil, from: Caller(address: "198.51.100.2"))
        #expect(try await system.mails(.passwordReset).count == 1)
        let apple = try await system.session(of: system.signInWithApple())
        await expectError(.notByPassword) {
            try await system.passwords.requestReset(in: apple, browser: nil, from: .unknown)
        }
    }

    @Test("Above the limits of mails a link is still sent each half hour, and its person can use it")
    func halfHour() async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount().account.id
        func request(from network: Int) async throws {
            try await system.passwords.requestSignInLink(
                email: PasswordSystem.address, browser: nil, returnPath: nil,
                from: Caller(address: "198.51.100.\(network)"))
            await system.domain.finishing.idle()
        }
        for network in 1...8 { for _ in 0..<5 { try await request(from: network) } }
        #expect(try await system.mails().count { [.signInLink, .signUp].contains($0.kind) } == 31)
        system.clock.advance(by: .minutes(31))
        #expect(try await system.finishSignIn(system.signInLink(), email: PasswordSystem.address).account.id == account)
        try await request(from: 9)
        let before = try await system.mails(.signInLink)
        system.clock.advance(by: .minutes(31))
        // A mail without a link doesn't take the place of one with a link.
        try await system.passwords.signUp(
            email: PasswordSystem.address, password: wrong, name: nil, browser: nil, returnPath: nil, from: .unknown)
        #expect(try await system.mails(.accountExists).isEmpty)
        try await request(from: 9)
        let strangers = try await system.mails(.signInLink)
        #expect(strangers.count == before.count + 1 && strangers.last?.recipient == PasswordSystem.address)
        let secret = try #require(strangers.last?.secret)
        #expect(try await system.finishSignIn(secret, email: PasswordSystem.address).account.id == account)
        // For an address without an account the limit is the end.
        func knock() async throws {
            try await system.passwords.requestSignInLink(
                email: "nobody@example.com", browser: nil, returnPath: nil, from: .unknown)
            await system.domain.finishing.idle()
        }
        for _ in 0..<6 { try await knock() }
        system.clock.advance(by: .minutes(31))
        try await knock()
        #expect(try await system.mails(to: "nobody@example.com").count == 5)
    }

    @Test("Requests beyond the limits leave the account as it is")
    func untouched() async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount().account.id
        var revisions: [Int64?] = []
        for _ in 0..<8 {
            try await system.passwords.requestSignInLink(
                email: PasswordSystem.address, browser: nil, returnPath: nil, from: Caller(address: "198.51.100.1"))
            await system.domain.finishing.idle()
            revisions.append(try await revision(of: account, system))
        }
        #expect(Set(revisions).count == 5)
    }

    @Test("Counts of a network go after twelve hours, those of an address after thirty days")
    func sweep() async throws {
        let system = try await PasswordSystem()
        await expectError(.wrongCredentials) { try await system.signIn(password: wrong) }
        #expect(try await system.count("password_failures") == 2)
        system.clock.advance(by: .hours(12))
        _ = try await system.store.sweep(at: system.now, sessionsBefore: .start, limit: 100)
        #expect(try await system.count("password_failures") == 1)
        system.clock.advance(by: .days(30))
        _ = try await system.store.sweep(at: system.now, sessionsBefore: .start, limit: 100)
        #expect(try await system.count("password_failures") == 0)
    }
}
