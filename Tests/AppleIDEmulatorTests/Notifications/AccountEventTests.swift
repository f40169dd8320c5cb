import AppleIDTypes
import Testing

@testable import AppleIDEmulator

@Suite("Events for apps")
struct AccountEventTests {
    /// Johnny hides his address from two groups of one team and from a third of another team, and shares it with none.
    private func state(_ behaviour: Behaviour = Behaviour()) throws -> EmulatorState {
        let registry = try Registry(TestPortal.portal)
        var state = EmulatorState(registry: registry)
        state.behaviour = behaviour
        for client in ["com.example.juice", "com.example.soda", "org.example.cider"] {
            let parameters = AuthorizationParameters(clientID: client, scope: "email")
            let request = try AuthorizationRules(registry: registry, strictURLs: false).checkNative(parameters)
            var consent = Consent(proposedFor: try johnny)
            consent.hidesEmail = true
            let code = AuthorizationCode("code of \(client)")
            _ = try state.authorize(request, by: "johnny", consent: consent, code: code, at: 0)
        }
        return state
    }

    private var johnny: Portal.Person {
        get throws { try #require(TestPortal.portal.people.first) }
    }

    private let juice = Grant.Key(person: "johnny", group: "com.example.juice")

    @Test("Stop Using makes an event for that app")
    func stopUsing() throws {
        var state = try state()
        let events = try state.stopUsing(juice)
        #expect(events.map(\.group) == ["com.example.juice"])
        #expect(events.map(\.subject) == [PairwiseIdentity(person: try johnny, team: "JUICETEAM1").subject])
        #expect(events.map(\.relayAddress) == [nil])
        #expect(throws: Refusal.self) { try state.stopUsing(juice) }
    }

    @Test("a change of forwarding makes an event for every app of the team that has the address")
    func forwarding() throws {
        var state = try state()
        #expect(try state.forward(true, for: juice).isEmpty)
        let events = try state.forward(false, for: juice)
        #expect(events.map(\.group) == ["com.example.juice", "com.example.soda"])
        let address = PairwiseIdentity(person: try johnny, team: "JUICETEAM1").relayAddress
        #expect(events.map(\.relayAddress) == [address, address])
        #expect(try state.forward(false, for: juice).isEmpty)
        #expect(try state.forward(true, for: juice).count == 2)
    }

    @Test("a deleted account makes an event for every app that it used")
    func deletion() throws {
        var state = try state()
        let events = state.deleteAccount(of: try johnny)
        #expect(events.map(\.group) == ["com.example.juice", "com.example.soda", "org.example.cider"])
        #expect(Set(events.map(\.subject)).count == 2)
    }

    @Test(
        "a revoked token makes the event of Stop Using, unless a behaviour suppresses it", arguments: [false, true])
    func revocation(_ isSilent: Bool) throws {
        var state = try state(.with { $0.revocationIsSilent = isSilent })
        let new = NewTokens(Randomness(.live))
        let code = TokenRequest.Code(code: "code of com.example.juice", redirectURI: nil, verifier: nil)
        _ = try state.redeem(
            .code(code), for: try #require(state.registry.clients["com.example.juice"]), new: new, at: 0)
        let request = try RevocationRequest(FormFields(Array("token=\(new.refreshToken)".utf8), plus: .space))
        let events = try state.revoke(request, for: "com.example.juice", at: 0)
        #expect(events.map(\.group) == (isSilent ? [] : ["com.example.juice"]))
        #expect(state.grants[juice] == nil)
    }
}
