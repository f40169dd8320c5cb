#if !canImport(Darwin)
    import AccountClient
    import AccountEngines
    import AppleIDTypes
    import Foundation
    import OpenAuthenticationServices
    import TaskSignals
    import Testing

    @Suite("A client whose app has moved to another team", .eachEngine, .timeLimit(.minutes(2)))
    struct TransferredClientTests {
        @Test(
            "is told so, asks again for its former user, and has the same account under a new id",
            arguments: [true, false])
        func asksAgain(isImported: Bool) async throws {
            let app = try await MovingApp(Engine.current)
            let storage = MemoryStorage()
            let before = Lock<Account?>(nil)
            try await ClientSystem.run(on: app.system) { street in
                let account = try await street.client(storage: storage).signIn()
                before.withLock { $0 = account }
            }
            let former = try #require(before.withLock { $0 })
            let user = try #require(former.user)
            try await app.export()
            try await app.accept()
            if isImported { try await app.import() }
            try await ClientSystem.run(on: try await app.newService()) { street in
                let client = street.client(storage: storage)
                #expect(try await client.existingAccount()?.id == former.id, "the session goes on")
                #expect(try await client.credentialState() == .transferred)
                let performer = AccountServicePerformer(configuration: client.configuration)
                #expect(await performer.credentialState(forUserID: user).state == .transferred)

                // As Apple's guide has it: the same request, with the saved user identifier.
                let credential = try await performer.authorize(AppleIDRequestValues(user: user))
                #expect(credential.user != user)
                let after = try await client.signIn()
                #expect(after.id == former.id && after.user == credential.user)
                #expect(try await client.credentialState() == .authorized)
                #expect(await performer.credentialState(forUserID: credential.user).state == .authorized)
            }
        }
    }
#endif
