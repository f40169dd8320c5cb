import AccountService
import Testing

@testable import AccountHTTP

/// The limits that Docs/apple-events.md tells clients and proxies; no setting changes them.
@Suite("The defaults of an event stream")
struct EventStreamLimitsTests {
    @Test("It polls every two seconds, comments every twenty, ends after an hour, and an account has five")
    func defaults() {
        let limits = AccountHTTPConfiguration().eventStreams
        #expect(limits.poll == .seconds(2))
        #expect(limits.comment == .seconds(20))
        #expect(limits.lifetime == .seconds(60 * 60))
        #expect(EventBell.listenersOfAccount == 5)
    }
}
