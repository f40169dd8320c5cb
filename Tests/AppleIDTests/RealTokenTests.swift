import AppleID
import AppleIDTypes
import Foundation
import Testing

@Suite("Tokens that Apple signed")
struct RealTokenTests {
    let real: RealTokens

    init() throws {
        real = try RealTokens()
    }

    @Test("The identity token with e-mail verifies at its own time, its claims as text")
    func withEmail() async throws {
        let identity = try await real.verifyIdentity(real.withEmail, at: RealTokens.Sample.withEmail.issuedAt)
        #expect(identity.subject == real.subject)
        #expect(identity.audience == real.audience)
        #expect(identity.email == "zdfu7jtuus@privaterelay.appleid.com")
        #expect(identity.isEmailVerified)
        #expect(identity.isPrivateEmail)
        #expect(identity.claims.nonceSupported == true)
        #expect(identity.claims.codeHash == "M5UCunFu1J67auQ6-q-kOw")
        #expect(identity.claims.authenticatedAt == 1_614_431_194)
        #expect(identity.claims.expiresAt == 1_614_517_594)
        #expect(identity.nonce == .notExpected)
        #expect(identity.signingInputDigest.count == 32)
    }

    @Test("The identity token without e-mail verifies at its own time")
    func withoutEmail() async throws {
        let identity = try await real.verifyIdentity(real.withoutEmail, at: RealTokens.Sample.withoutEmail.issuedAt)
        #expect(identity.subject == real.subject)
        #expect(identity.email == nil)
        #expect(!identity.isEmailVerified)
        #expect(!identity.isPrivateEmail)
    }

    @Test("The notification verifies at its own time: events as text, event time in milliseconds")
    func notification() async throws {
        let notification = try await real.verifyNotification(
            real.notification, at: RealTokens.Sample.notification.issuedAt)
        #expect(notification.id == "B94OdD03pFsaYaN-Ftv7mA")
        #expect(notification.audience == real.audience)
        #expect(notification.expiresAt == Date(timeIntervalSince1970: 1_630_171_812))
        #expect(
            notification.event
                == NotificationEvent(
                    type: .emailDisabled, subject: real.subject, time: 1_630_085_403_648,
                    email: "zdfu7jtuus@privaterelay.appleid.com", isPrivateEmail: true))
    }

    @Test("A notification is no identity token")
    func notificationAsIdentity() async {
        await #expect(throws: AppleIDError(.notAnIdentityToken, "")) {
            try await real.verifyIdentity(real.notification, at: RealTokens.Sample.notification.issuedAt)
        }
    }

    @Test("An identity token is no notification", arguments: [RealTokens.Sample.withEmail, .withoutEmail])
    func identityAsNotification(sample: RealTokens.Sample) async {
        await #expect(throws: AppleIDError(.notANotification, "")) {
            try await real.verifyNotification(real.token(sample), at: sample.issuedAt)
        }
    }

    @Test("A token is refused as expired an hour after its expiry", arguments: RealTokens.Sample.all)
    func expired(sample: RealTokens.Sample) async {
        #expect(await real.failure(sample, at: sample.expiresAt + 3_600) == .tokenExpired)
    }

    @Test("A token is refused before its time", arguments: RealTokens.Sample.all)
    func future(sample: RealTokens.Sample) async {
        #expect(await real.failure(sample, at: sample.issuedAt - 3_600) == .issuedInFuture)
    }

    @Test("A token is refused for another audience, and for none", arguments: RealTokens.Sample.all)
    func audience(sample: RealTokens.Sample) async {
        #expect(await real.failure(sample, at: sample.issuedAt, audiences: ["com.example.other"]) == .audienceMismatch)
        #expect(await real.failure(sample, at: sample.issuedAt, audiences: []) == .audienceMismatch)
    }

    @Test(
        "A token with any character changed is refused, with an error code that fits the place",
        arguments: RealTokens.Sample.all)
    func tampered(sample: RealTokens.Sample) async throws {
        let token = Array(real.token(sample).utf8)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let headerEnd = try #require(token.firstIndex(of: UInt8(ascii: ".")))
        let inHeader: Set<AppleIDError.Code> = [.malformedToken, .unsupportedAlgorithm, .unknownKey, .signatureInvalid]
        let elsewhere: Set<AppleIDError.Code> = [.malformedToken, .signatureInvalid]
        for position in token.indices {
            // For a character of the alphabet another one of it, for a dot a character.
            let place = alphabet.firstIndex(of: token[position]) ?? 0
            for step in [1, 17, 32] {
                var changed = token
                changed[position] = alphabet[(place + step) % 64]
                let code = await real.failure(
                    sample, token: String(decoding: changed, as: UTF8.self), at: sample.issuedAt)
                let allowed = position < headerEnd ? inHeader : elsewhere
                #expect(code.map(allowed.contains) == true, "position \(position): \(String(describing: code))")
            }
        }
    }

    @Test("A token with a character added, doubled or removed is refused", arguments: RealTokens.Sample.all)
    func reshaped(sample: RealTokens.Sample) async {
        let token = real.token(sample)
        for other in [
            token + "A", token + "=", token + ".", "." + token, " " + token, token + "\n", String(token.dropLast()),
            token + "." + token,
        ] {
            let code = await real.failure(sample, token: other, at: sample.issuedAt)
            #expect(code == .malformedToken || code == .signatureInvalid)
        }
    }

    @Test("A token whose key is not in the set is refused")
    func otherKeys() async throws {
        let other = try KeyCache(fixed: TestSigner.shared.keySetJSON())
        await #expect(throws: AppleIDError(.unknownKey, "")) {
            try await IdentityVerifier(keys: other).verify(
                real.withEmail, expecting: IdentityExpectation(audiences: [real.audience], nonce: nil))
        }
    }
}
