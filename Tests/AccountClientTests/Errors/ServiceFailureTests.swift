import AccountConnection
import Foundation
import Testing

@testable import AccountClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The client's error for a call that failed")
struct ServiceFailureTests {
    @Test("A request that can't be made is a fault of the configuration, not of the network")
    func unsendable() {
        let error = AccountClientError(.unsendable(URLError(.badURL)), doing: "renewing the session")
        #expect(error.description == "notConfigured: the request for renewing the session cannot be made")
        #expect(error.hint?.contains("backend") == true && error.cause is ServiceError)
    }
}
