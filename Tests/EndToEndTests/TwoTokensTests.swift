import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

/// Carries requests to an emulator, but has every code redeemed in the place of another: what a mix-up, or somebody
/// between us and Apple, could do.
private struct CodeSwapper: AppleTransport {
    let inner: EmulatorTransport
    let code: AuthorizationCode

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        guard request.url.hasSuffix("/auth/token") else { return try await inner.send(request) }
        let form = String(decoding: request.body, as: UTF8.self).split(separator: "&").map { field in
            field.hasPrefix("code=") ? "code=\(code.rawValue)" : String(field)
        }
        var swapped = request
        swapped.body = Array(form.joined(separator: "&").utf8)
        return try await inner.send(swapped)
    }
}

@Suite("Apple's two tokens of one sign-in")
struct TwoTokensTests {
    @Test("are refused when they are about two people, and no session begins", arguments: Engine.allCases)
    func people(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let zoe = try await system.emulator.authorize(person: "zoe", client: TestSystem.juice, native: true)
        let domain = try await system.domain(
            over: CodeSwapper(inner: system.apple, code: try #require(zoe.code)))
        let request = try await system.device()
        await #expect(throws: AccountError(.identityMismatch, "")) { try await domain.signIn.native(request) }
        // Nothing was used up, and no account was made.
        #expect(try await system.domain.signIn.native(request).isNewAccount)
    }

    @Test("are refused when they carry two nonces", arguments: Engine.allCases)
    func nonces(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let other = try await system.emulator.authorize(client: TestSystem.juice, nonce: "another nonce", native: true)
        let domain = try await system.domain(
            over: CodeSwapper(inner: system.apple, code: try #require(other.code)))
        let request = try await system.device()
        await #expect(throws: AccountError(.identityMismatch, "")) { try await domain.signIn.native(request) }
    }

    @Test("are refused when they are for two clients", arguments: Engine.allCases)
    func clients(on engine: Engine) async throws {
        let system = try await TestSystem(engine, portal: .twoTeams)
        let cider = try await system.emulator.authorize(client: "com.example.cider", native: true)
        let domain = try await system.domain(
            over: CodeSwapper(inner: system.apple, code: try #require(cider.code)))
        // Apple itself does not redeem another client's code.
        let request = try await system.device()
        await #expect(throws: AppleIDError(.grantRejected, "")) { try await domain.signIn.native(request) }
    }
}
