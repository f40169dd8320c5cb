import AppleIDTypes
import Foundation
import Testing

@testable import AppleID

@Suite("Server-to-server notification")
struct NotificationTests {
    @Test("Events come as an object or as text with one", arguments: [true, false])
    func forms(isText: Bool) async throws {
        let object =
            #"{"type":"email-enabled","sub":"s","event_time":1699999999999,"email":"r@x.com","is_private_email":"true"}"#
        let text = "\"" + object.replacing("\"", with: "\\\"") + "\""
        let notification = try await verify(.notification(["events": isText ? text : object]))
        #expect(
            notification.event
                == NotificationEvent(
                    type: .emailEnabled, subject: "s", time: 1_699_999_999_999, email: "r@x.com", isPrivateEmail: true))
        #expect(notification.id == "id-1")
        #expect(notification.issuedAt == Date(timeIntervalSince1970: 1_700_000_000))
    }

    @Test(
        "An event time is in seconds or in milliseconds, told apart by its size",
        arguments: [
            ("1700000000", 1_700_000_000_000), ("1700000000123", 1_700_000_000_123),
            ("100000000000", 100_000_000_000_000),
            ("100000000001", 100_000_000_001), ("1700000000.5", 1_700_000_000_000),
        ])
    func times(text: String, milliseconds: Int64) async throws {
        #expect(try await verify(.notification(["events": event(time: text)])).event.time == milliseconds)
    }

    @Test(
        "An event later than its notification gets its time, and over a minute later is marked as impossible",
        arguments: [
            ("1699999999999", 1_699_999_999_999, false), ("1700000000999", 1_700_000_000_999, false),
            ("1700000030", 1_700_000_000_999, false), ("1700000060", 1_700_000_000_999, false),
            ("1700000061", 1_700_000_000_999, true), ("4000000000000", 1_700_000_000_999, true),
            ("1000000000000000", 1_700_000_000_999, true),
        ])
    func order(text: String, milliseconds: Int64, isImpossible: Bool) async throws {
        let notification = try await verify(.notification(["events": event(time: text)]))
        #expect(
            notification.happenedAtMilliseconds == milliseconds && notification.isEventTimeImpossible == isImpossible)
    }

    @Test(
        "Both names of the delete event are known, and unknown types are kept",
        arguments: ["account-delete", "account-deleted", "consent-revoked", "something-new"])
    func types(type: String) async throws {
        #expect(try await verify(.notification(["events": event(type: "\"\(type)\"")])).event.type == EventType(type))
    }

    @Test(
        "An event that is no object, or lacks type, subject or time, is malformed",
        arguments: [
            "null", "5", "[]", "\"\"", "\"5\"", "\"[]\"", "\"{\"", #""{\"type\":\"a\",\"type\":\"a\"}""#, "{}", "true",
            #"[{"type":"a","sub":"s","event_time":1700000000}]"#, #"{"type":"a","sub":"s"}"#,
            #"{"type":"a","event_time":1700000000}"#,
            #"{"sub":"s","event_time":1700000000}"#, #"{"type":"","sub":"s","event_time":1700000000}"#,
            #"{"type":"a","sub":"","event_time":1700000000}"#, #"{"type":"a","sub":"s","event_time":"1700000000"}"#,
            #"{"type":"a","sub":"s","event_time":-1}"#, #"{"type":"a","sub":"s","event_time":1e300}"#,
            #"{"type":"a","sub":5,"event_time":1700000000}"#,
        ])
    func malformed(events: String) async throws {
        #expect(try await failure(.notification(["events": events])) == .malformedClaim)
    }

    @Test("A token without events is no notification")
    func identityToken() async throws {
        #expect(try await failure(.identity()) == .notANotification)
        #expect(try await failure(.notification(["events": nil])) == .notANotification)
    }

    @Test(
        "A notification needs an identifier",
        arguments: [nil, "\"\"", "5", "null", "\"\(String(repeating: "i", count: 256))\""] as [String?])
    func identifier(text: String?) async throws {
        #expect(try await failure(.notification(["jti": text])) == .malformedClaim)
    }

    @Test("Issuer and audience are checked as with identity tokens")
    func issuerAndAudience() async throws {
        #expect(try await failure(.notification(["iss": "\"https://example.com\""])) == .issuerMismatch)
        #expect(try await failure(.notification(["aud": "\"com.example.other\""])) == .audienceMismatch)
        #expect(try await failure(.notification(), audiences: []) == .audienceMismatch)
    }

    @Test(
        "An exp is checked where there is one",
        arguments: [(86_459, nil), (86_460, .tokenExpired), (-60, nil), (-61, .issuedInFuture)]
            as [(Double, AppleIDError.Code?)])
    func expiry(offset: Double, code: AppleIDError.Code?) async throws {
        #expect(try await failure(.notification(), at: offset) == code)
    }

    @Test(
        "A notification without exp is valid for seven days",
        arguments: [
            (0, nil), (7 * 86_400, nil), (7 * 86_400 + 59, nil), (7 * 86_400 + 60, .notificationTooOld),
            (-61, .issuedInFuture),
        ] as [(Double, AppleIDError.Code?)])
    func age(offset: Double, code: AppleIDError.Code?) async throws {
        #expect(try await failure(.notification(["exp": nil]), at: offset) == code)
    }

    @Test("An nbf is checked where there is one")
    func notBefore() async throws {
        #expect(try await failure(.notification(["nbf": "1700000060"])) == nil)
        #expect(try await failure(.notification(["nbf": "1700000061", "exp": nil])) == .issuedInFuture)
        #expect(try await failure(.notification(["nbf": "\"1700000000\""])) == .malformedClaim)
    }

    @Test("An exp of another type is malformed, not absent")
    func malformedExpiry() async throws {
        #expect(try await failure(.notification(["exp": "null"])) == .malformedClaim)
        #expect(try await failure(.notification(["iat": nil])) == .malformedClaim)
    }

    @Test("With an exp it alone decides the age, and without one the time of issue does")
    func longLived() async throws {
        #expect(try await failure(.notification(["exp": "1800000000"]), at: 30 * 86_400) == nil)
        #expect(try await failure(.notification(["exp": nil, "iat": "0"])) == .notificationTooOld)
    }

    private func event(type: String = "\"consent-revoked\"", time: String = "1700000000") -> String {
        #"{"type":\#(type),"sub":"s","event_time":\#(time)}"#
    }

    private func verify(
        _ claims: TestClaims, audiences: Set<ClientID> = [TestClaims.audience], at offset: TimeInterval = 0
    ) async throws -> VerifiedNotification {
        try await NotificationVerifier(keys: KeyCache(fixed: TestSigner.shared.keySetJSON())).verify(
            TestSigner.shared.token(claims),
            expecting: NotificationExpectation(
                audiences: audiences, time: Date(timeIntervalSince1970: Double(TestClaims.issuedAt) + offset)))
    }

    private func failure(
        _ claims: TestClaims, audiences: Set<ClientID> = [TestClaims.audience], at offset: TimeInterval = 0
    ) async throws -> AppleIDError.Code? {
        do {
            _ = try await verify(claims, audiences: audiences, at: offset)
            return nil
        } catch let error as AppleIDError {
            return error.code
        }
    }
}
