import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@Suite("Limits for strangers")
struct LimitTests {
    @Test("for user codes: an address has ten guesses in ten minutes", arguments: Engine.allCases)
    func guessing(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let device = try await system.wait()
        let authorizations = system.domain.authorizations
        for _ in 0..<10 {
            await expectRefusal(.authorizationUnknown) { try await system.guess(besides: device, from: "192.0.2.66") }
        }
        // Even the right code is refused from there; others are not.
        let error = await expectRefusal(.rateLimited) {
            try await authorizations.prompt(userCode: device.userCode, from: "192.0.2.66")
        }
        let wait = try #require(error?.retryAfter)
        #expect(wait > .zero && wait <= .seconds(600))
        _ = try await authorizations.prompt(userCode: device.userCode, from: "192.0.2.9")
        system.clock.advance(by: wait)
        await expectRefusal(.authorizationExpired) {
            try await authorizations.prompt(userCode: device.userCode, from: "192.0.2.66")
        }
    }

    @Test(
        "for user codes: 64 bits of IPv6 count as one address, and the page shows the whole address",
        arguments: Engine.allCases)
    func networks(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let device = try await system.wait(from: "2001:db8::1:2")
        for last in 0..<10 {
            await expectRefusal(.authorizationUnknown) {
                try await system.guess(besides: device, from: "2001:db8:0:1:\(last)::\(last)")
            }
        }
        let authorizations = system.domain.authorizations
        await expectRefusal(.rateLimited) {
            try await authorizations.prompt(userCode: device.userCode, from: "2001:db8:0:1::ffff")
        }
        let prompt = try await authorizations.prompt(userCode: device.userCode, from: "2001:db8:0:2::1")
        #expect(prompt.address == "2001:db8::1:2")
    }

    @Test("for user codes: all addresses together have a thousand guesses in ten minutes", arguments: Engine.allCases)
    func overall(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let device = try await system.wait()
        for network in 0..<100 {
            for _ in 0..<10 {
                await expectRefusal(.authorizationUnknown) {
                    try await system.guess(besides: device, from: "198.51.100.\(network)")
                }
            }
        }
        await expectRefusal(.rateLimited) {
            try await system.domain.authorizations.prompt(userCode: device.userCode, from: "192.0.2.9")
        }
    }

    @Test(
        "for authorizations: an address has at most a thousand unfinished ones", arguments: Engine.allCases
    )
    func authorizations(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let address = { (index: Int) in "2001:db8:0:1::" + String(index, radix: 16) }
        for index in 0..<999 { _ = try await system.ask(from: address(index)) }
        _ = try await system.wait(from: address(999))
        for isDevice in [true, false] {
            let error = await expectRefusal(.rateLimited) {
                _ =
                    isDevice
                    ? try await system.wait(from: address(1_000)).verifier
                    : try await system.ask(from: address(1_000)).verifier
            }
            #expect(error?.retryAfter == .seconds(600))
        }
        _ = try await system.ask(from: "2001:db8:0:2::")
        system.clock.advance(by: .seconds(600))
        _ = try await system.ask(from: address(0))
    }

    @Test(
        "for codes alone: after a hundred refusals in ten minutes, Apple isn't asked about an address's codes",
        arguments: Engine.allCases)
    func codes(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        func signIn(_ code: AuthorizationCode, from address: String) async throws -> TokenSignIn {
            try await system.domain.signIn.native(
                NativeSignIn(identityToken: nil, authorizationCode: code, nonce: nil, clientID: TestSystem.juice),
                from: Caller(address: address))
        }
        for index in 0..<100 {
            await #expect(throws: AppleIDError(.grantRejected, "")) {
                try await signIn(AuthorizationCode("made.up.\(index)"), from: "2001:db8::\(index)")
            }
        }
        #expect(system.apple.count(of: "/auth/token") == 100)
        let code = try #require(
            await system.emulator.authorize(client: TestSystem.juice, nonce: nil, native: true).code)
        let error = await expectRefusal(.rateLimited) { try await signIn(code, from: "2001:db8::ffff") }
        let wait = try #require(error?.retryAfter)
        #expect(wait > .zero && wait <= .seconds(600))
        #expect(system.apple.count(of: "/auth/token") == 100)
        _ = try await signIn(code, from: "192.0.2.1")
    }
}
