import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@Suite("The states of a session", .timeLimit(.minutes(2)))
struct SessionStatesTests {
    private let device = TestDevice()

    @Test("The present state comes first, then each change, for every consumer")
    func consumers() async throws {
        let client = try device.client()
        var first = client.session.makeAsyncIterator()
        var second = client.session.makeAsyncIterator()
        #expect(await first.next() == .signedOut(.noSession))
        let account = try await client.signIn(with: TestDevice.credential())
        #expect(await first.next() == .signedIn(account))
        #expect(await second.next() == .signedIn(account))
        try await client.signOut()
        #expect(await first.next() == .signedOut(.signedOut))
        #expect(await second.next() == .signedOut(.signedOut))
        var late = client.session.makeAsyncIterator()
        #expect(await late.next() == .signedOut(.signedOut))
    }

    @Test("A slow consumer gets the latest state, not what was overtaken")
    func latest() async throws {
        let client = try device.client()
        var states = client.session.makeAsyncIterator()
        #expect(await states.next() == .signedOut(.noSession))
        for _ in 0..<3 {
            try await client.signIn(with: TestDevice.credential())
            try await client.signOut()
        }
        let account = try await client.signIn(with: TestDevice.credential())
        #expect(await states.next()?.account == account)
    }

    @Test("A stored session is a state before the account service was asked, and then a confirmed one")
    func start() async throws {
        try await device.signedInClient().reloadAccount()
        let client = try device.client()
        var states = client.session.makeAsyncIterator()
        #expect(await states.next()?.account?.isConfirmed == false)
        #expect(try await client.existingAccount()?.isConfirmed == true)
        #expect(await states.next()?.account?.isConfirmed == true)
    }

    @Test("A storage that cannot be read is a state of its own, and tried again")
    func unreadable() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            _ = try await device.signedInClient()
            try FileManager.default.setPermissions(0o755, of: folder)
            let client = try device.client()
            var states = client.session.makeAsyncIterator()
            #expect(await states.next() == .signedOut(.storageUnreadable))
            try FileManager.default.setPermissions(0o700, of: folder)
            #expect(try await client.existingAccount() != nil)
            #expect(await states.next()?.account?.id == "acc_1")
        }
    }

    @Test("The sequence ends when the client is released, also for consumers that wait")
    func ends() async throws {
        var client: AccountClient? = try device.client()
        let session = try #require(client).session
        let first = AuthorizationSignal()
        let consumer = Task {
            var count = 0
            for await _ in session {
                count += 1
                first.send()
            }
            return count
        }
        await first.wait()
        client = nil
        #expect(await consumer.value == 1)
        #expect(client == nil)
        var late = session.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("A consumer who is cancelled stops waiting")
    func cancelled() async throws {
        let client = try device.client()
        let first = AuthorizationSignal()
        let consumer = Task { [session = client.session] in
            for await _ in session { first.send() }
        }
        await first.wait()
        consumer.cancel()
        await consumer.value
        #expect(await client.account == nil)
    }
}
