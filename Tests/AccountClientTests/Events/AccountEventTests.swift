import AccountConnection
import Testing

@testable import AccountClient

@Suite("Server-sent events")
struct AccountEventTests {
    @Test("that don't describe an account's event are ignored", arguments: ["", "{}", "[1]", #"{"kind":"signed_in"}"#])
    func noEvent(data: String) {
        #expect(AccountEvent(ServerSentEvent(id: "1", data: data)) == nil)
        let good = #"{"about":"ses_1","at":"2026-11-21T09:00:00Z","kind":"signed_in","reason":null}"#
        #expect(AccountEvent(ServerSentEvent(id: "x", data: good)) == nil)
        #expect(AccountEvent(ServerSentEvent(id: "1", data: good))?.kind == .signedIn)
    }
}
