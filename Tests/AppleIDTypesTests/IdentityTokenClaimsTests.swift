import AppleIDTypes
import Testing

@Suite("Claims and events")
struct IdentityTokenClaimsTests {
    @Test("New claims have no optional values")
    func absent() {
        let claims = IdentityTokenClaims(issuer: "i", subject: "s", audience: "a", issuedAt: 1, expiresAt: 2)
        #expect(claims.nonce == nil)
        #expect(claims.nonceSupported == nil)
        #expect(claims.email == nil)
        #expect(claims.emailVerified == nil)
        #expect(claims.isPrivateEmail == nil)
        #expect(claims.realUserStatus == nil)
    }

    @Test("Events differ if their type or time differs")
    func events() {
        let event = NotificationEvent(type: .consentRevoked, subject: "s", time: 5)
        #expect(event == NotificationEvent(type: .consentRevoked, subject: "s", time: 5))
        #expect(event != NotificationEvent(type: .consentRevoked, subject: "s", time: 6))
        #expect(event != NotificationEvent(type: .accountDelete, subject: "s", time: 5))
    }
}
