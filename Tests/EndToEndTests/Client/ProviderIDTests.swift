import AccountClient
import AccountService
import Testing

/// The service and the client library must not import each other, so the same words stand in both.
@Suite("A provider's id", .timeLimit(.minutes(2)))
struct ProviderIDTests {
    @Test("is never a word of another call's path, and the client reserves the same words")
    func reserved() {
        #expect(ProviderToken.reserved == Providers.reservedIDs)
    }
}
