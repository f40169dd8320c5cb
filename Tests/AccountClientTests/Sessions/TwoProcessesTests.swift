import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@Suite("Two processes with one storage", .timeLimit(.minutes(2)))
struct TwoProcessesTests {
    private let device = TestDevice()

    /// Two clients on the first session; then the second signs in again, and the account service ends the first.
    private func clients() async throws -> (AccountClient, AccountClient) {
        let first = try await device.signedInClient()
        let second = try device.client()
        _ = try await second.existingAccount()
        try await first.reloadAccount()
        try await second.signIn(with: TestDevice.credential())
        device.service.on("GET /v1/account") { [device] request in
            guard request.headers["Authorization"]?.contains("access-1.") == true else {
                return try device.service.usualAnswer(to: request)
            }
            return try .refusal(401, .sessionEnded)
        }
        device.service.on("POST /v1/session/refresh") { [device] request in
            guard (request.json["refreshToken"] as? String)?.contains("refresh-1.") == true else {
                return try device.service.usualAnswer(to: request)
            }
            return try .refusal(401, .sessionEnded)
        }
        return (first, second)
    }

    @Test("If the former session has ended, a process continues with the one that the other process stored")
    func reload() async throws {
        let (first, second) = try await clients()
        #expect(try await first.reloadAccount().id == "acc_1")
        #expect(try device.stored?.contains("refresh-2.") == true)
        #expect(try await first.accessToken().hasPrefix("access-2."))
        device.time.advance(by: .seconds(600))
        #expect(try await second.accessToken().hasPrefix("access-2."))
    }

    @Test("A session that is stored while the former is being renewed stays, and is used")
    func duringRenewal() async throws {
        let first = try await device.signedInClient()
        let second = try device.client()
        _ = try await second.existingAccount()
        device.time.advance(by: .seconds(600))
        device.service.on("POST /v1/session/refresh") { [device] request in
            guard (request.json["refreshToken"] as? String)?.contains("refresh-1.") == true else {
                return try device.service.usualAnswer(to: request)
            }
            if device.service.requests("POST /v1/sign-in/apple").count == 1 {
                try await second.signIn(with: TestDevice.credential())
            }
            return try .refusal(401, .sessionEnded)
        }
        #expect(try await first.accessToken().hasPrefix("access-2."))
        #expect(await first.account?.id == "acc_1")
        #expect(try device.stored?.contains("refresh-2.") == true)
    }

    /// Lets a client renew its session, and lose the first answer. Another client works before that is lost.
    /// - Returns: the refresh tokens that the service gets from both.
    private func presented(
        with first: AccountClient, meanwhile work: @escaping @Sendable () async throws -> Void
    ) async throws -> [String?] {
        device.time.advance(by: .seconds(600))
        let before = device.service.requests("POST /v1/session/refresh").count
        device.service.on("POST /v1/session/refresh") { [device] _ in
            device.service.on("POST /v1/session/refresh", .usual)
            try await work()
            throw URLError(.networkConnectionLost)
        }
        _ = await failure { try await first.accessToken() }
        return device.service.requests("POST /v1/session/refresh").dropFirst(before)
            .map { $0.json["refreshToken"] as? String }
    }

    @Test("A refresh whose answer is lost isn't repeated with a token that another process has exchanged meanwhile")
    func lostAnswer() async throws {
        let first = try await device.signedInClient()
        let second = try device.client()
        let presented = try await presented(with: first) { _ = try await second.accessToken() }
        #expect(presented == ["refresh-1.0", "refresh-1.0", "refresh-1.1"])
        #expect(try await first.accessToken() == "access-1.2")
        #expect(try device.stored?.contains("refresh-1.2") == true)
    }

    @Test("A refresh whose answer is lost isn't repeated after another process has signed out")
    func lostAnswerAfterSignOut() async throws {
        let first = try await device.signedInClient()
        let second = try device.client()
        let presented = try await presented(with: first) { try await second.signOut() }
        #expect(presented == ["refresh-1.0", "refresh-1.0"], "the second one ends the session")
        #expect(await failure { try await first.accessToken() }?.code == .notSignedIn)
        #expect(try device.stored == nil)
    }

    @Test("The name of somebody whose sign-in fails does not take the other's session away")
    func pendingName() async throws {
        let first = try device.client()
        #expect(try await first.existingAccount() == nil)
        try await device.client().signIn(with: TestDevice.credential())
        device.service.on("POST /v1/sign-in/apple", .refusal(401, .nonceMismatch))
        let credential = TestDevice.credential(user: "002000.bbbb", fullName: ada)
        #expect(await failure { try await first.signIn(with: credential) } != nil)
        #expect(try device.stored?.contains("refresh-1.0") == true)
        #expect(try await device.client().existingAccount()?.id == "acc_1")
    }

    @Test("A process that stores a change keeps what another process has stored of the same session")
    func upgradedMeanwhile() async throws {
        let first = try await device.clientByPassword()
        let second = try device.client()
        _ = try await second.existingAccount()
        try await second.upgradeToApple(with: TestDevice.credential())
        // An event tells the first process of it, and it asks for the account.
        try await first.reloadAccount()
        #expect(await first.account?.user == TestDevice.user)
        let later = try await device.client().existingAccount()
        #expect(later?.user == TestDevice.user)
    }

    @Test("A process doesn't replace the account that another process has stored since by an older one")
    func newerAccount() async throws {
        let first = try await device.signedInClient()
        let second = try device.client()
        _ = try await second.existingAccount()
        device.service.account.email = "new@example.com"
        try await second.reloadAccount()
        await keepName(with: first)
        #expect(await first.account?.email == "new@example.com")
        #expect(try device.stored?.contains("new@example.com") == true)
    }

    private static let bob = "002000.bbbb"

    /// Lets Bob's sign-in fail after Apple has told his name. The client then keeps the name in storage.
    private func keepName(with client: AccountClient) async {
        device.service.on("POST /v1/sign-in/apple", .refusal(401, .expired))
        let name = PersonNameComponents(givenName: "Bob")
        let error = await failure {
            try await client.signIn(with: TestDevice.credential(user: Self.bob, fullName: name))
        }
        #expect(error?.code == .refused(.expired))
        device.service.on("POST /v1/sign-in/apple", .usual)
    }

    /// Signs Bob in when Apple doesn't tell his name any more.
    /// - Returns: the name that the account service gets.
    private func nameOfBob(with client: AccountClient) async throws -> String? {
        try await client.signIn(with: TestDevice.credential(user: Self.bob))
        let request = try #require(device.service.requests("POST /v1/sign-in/apple").last)
        return (request.json["fullName"] as? [String: Any])?["givenName"] as? String
    }

    /// The ways in which a process changes storage.
    enum Change: CaseIterable {
        case signIn, signOut, account, end
    }

    @Test("A name that one process keeps is not lost when another one changes storage", arguments: Change.allCases)
    func nameOfOther(change: Change) async throws {
        let first = try await device.signedInClient()
        try await keepName(with: device.client())
        switch change {
        case .signIn: try await first.signIn(with: TestDevice.credential())
        case .signOut: try await first.signOut()
        case .account:
            device.service.account.email = "new@example.com"
            try await first.reloadAccount()
        case .end:
            device.service.on("GET /v1/account", .refusal(401, .sessionEnded))
            device.service.on("POST /v1/session/refresh", .refusal(401, .sessionEnded))
            #expect(await failure { try await first.reloadAccount() }?.code == .sessionEnded)
        }
        let name = try await nameOfBob(with: device.client())
        #expect(name == "Bob")
    }

    @Test("A process sends the name that another one has kept since the process read storage, and forgets it then")
    func nameKeptSince() async throws {
        let first = try device.client()
        #expect(try await first.existingAccount() == nil)
        try await keepName(with: device.client())
        let name = try await nameOfBob(with: first)
        #expect(name == "Bob")
        let later = try await nameOfBob(with: device.client())
        #expect(later == nil)
    }

    @Test("A name that one process has delivered is not kept again by another one")
    func nameDelivered() async throws {
        let (first, second) = (try device.client(), try device.client())
        await keepName(with: first)
        #expect(try await second.existingAccount() == nil)
        let name = try await nameOfBob(with: first)
        #expect(name == "Bob")
        try await second.signIn(with: TestDevice.credential())
        let later = try await nameOfBob(with: device.client())
        #expect(later == nil)
    }

    @Test("An ended session is removed, even if the other process has renewed it")
    func ended() async throws {
        let first = try await device.signedInClient()
        let second = try device.client()
        #expect(try await second.accessToken() == "access-1.1")
        device.service.on("GET /v1/account", .refusal(401, .sessionEnded))
        device.service.on("POST /v1/session/refresh", .refusal(401, .sessionEnded))
        #expect(await failure { try await first.reloadAccount() }?.code == .sessionEnded)
        #expect(try device.stored == nil)
    }

    @Test("Signing out also removes the session that the other process has stored")
    func signOut() async throws {
        let (first, _) = try await clients()
        try await first.signOut()
        #expect(try device.stored == nil)
    }

    /// Two clients on the session of `acc_1`. Whoever signs in next is `acc_2`.
    private func clientsBeforeAnotherPerson() async throws -> (AccountClient, AccountClient) {
        let first = try await device.signedInClient()
        let second = try device.client()
        _ = try await second.existingAccount()
        device.service.account.id = "acc_2"
        return (first, second)
    }

    private static let other = TestDevice.credential(user: "002000.bbbb")

    @Test("The answer of a call for one person is not kept as that of the person who signed in meanwhile")
    func lateAnswer() async throws {
        let (first, second) = try await clientsBeforeAnotherPerson()
        device.service.on("GET /v1/account") { [device] _ in
            try await second.signIn(with: Self.other)
            // The session of the other person is found when the token is too old.
            device.time.advance(by: .seconds(600))
            _ = try await first.accessToken()
            return try .json(200, AccountAnswer(account: TestService.account))
        }
        #expect(await failure { try await first.reloadAccount() } != nil)
        #expect(await first.account?.id == "acc_2")
        #expect(try await device.client().existingAccount()?.id == "acc_2")
    }

    @Test("What one process learns of a session does not bring it back after another process's sign-out")
    func signedOutMeanwhile() async throws {
        let (first, second) = try await clientsBeforeAnotherPerson()
        try await second.signOut()
        device.service.account = TestService.account
        device.service.account.email = "new@example.com"
        #expect(await failure { try await first.reloadAccount() }?.code == .notSignedIn)
        #expect(try device.stored == nil)
        #expect(await first.account == nil)
    }

    @Test("What one process learns of a session does not take the place of the session of somebody else")
    func replacedMeanwhile() async throws {
        let (first, second) = try await clientsBeforeAnotherPerson()
        try await second.signIn(with: Self.other)
        device.service.on("GET /v1/account") { _ in
            var account = TestService.account
            account.email = "new@example.com"
            return try .json(200, AccountAnswer(account: account))
        }
        try await first.reloadAccount()
        #expect(await first.account?.id == "acc_2")
        #expect(try device.stored?.contains("refresh-2.0") == true)
    }
}
