import AccountAPI
import Foundation
import Testing

@Suite("Values on the wire")
struct WireTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func value<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test("Unknown is null, never absent")
    func nulls() throws {
        let account = AccountBody(
            id: "acc_1", name: nil, email: nil, emailVerified: false, isPrivateEmail: false,
            createdAt: APITime(secondsSince1970: 0))
        #expect(
            try json(AccountAnswer(account: account)) == """
                {"account":{"appleAccess":null,"appleAccessEndedAt":null,"appleToken":null,\
                "contactEmail":null,"createdAt":"1970-01-01T00:00:00Z",\
                "email":null,"emailForwarding":null,"emailVerified":false,"id":"acc_1","isPrivateEmail":false,\
                "lastAuthorizedAt":null,"name":null,"organizationID":null,"pendingContactEmail":null,"phone":null,\
                "realUserStatus":null,"waysIn":null}}
                """)
        #expect(
            try json(AccountName(givenName: "J", formatted: "J")) == """
                {"familyName":null,"formatted":"J","givenName":"J","middleName":null,"namePrefix":null,\
                "nameSuffix":null,"nickname":null}
                """)
        #expect(
            try json(NativeSignInRequest(identityToken: "t", authorizationCode: nil, nonce: "n")) == """
                {"authorizationCode":null,"clientID":null,"deviceName":null,"fullName":null,"identityToken":"t","nonce":"n"}
                """)
        #expect(
            try json(FullName(nickname: "J")) == """
                {"familyName":null,"givenName":null,"middleName":null,"namePrefix":null,"nameSuffix":null,\
                "nickname":"J"}
                """)
        #expect(try json(ChallengeRequest()) == #"{"purpose":null}"#)
        #expect(
            try json(BeginAuthorizationRequest(app: "a", redirectURI: nil, codeChallenge: "c")) == """
                {"app":"a","codeChallenge":"c","nonce":null,"provider":null,"redirectURI":null,"scope":"name email",\
                "state":null}
                """)
        #expect(
            try json(
                AuthorizationCredentialBody(
                    user: "u", identityToken: "t", authorizationCode: nil, email: nil, fullName: nil, scope: "",
                    state: nil)) == """
                    {"authorizationCode":null,"email":null,"fullName":null,"identityToken":"t","scope":"","state":null,\
                    "user":"u"}
                    """)
    }

    @Test("A request that can name an authorization in two ways has only the name that is set")
    func oneName() throws {
        #expect(
            try json(RedeemAuthorizationRequest(handle: "h", codeVerifier: "v"))
                == #"{"codeVerifier":"v","handle":"h"}"#)
        #expect(
            try json(CancelAuthorizationRequest(deviceCode: "d", codeVerifier: "v"))
                == #"{"codeVerifier":"v","deviceCode":"d"}"#)
    }

    @Test("Encoding and decoding agree")
    func roundTrips() throws {
        let answer = SignInAnswer(
            account: AccountBody(
                id: "acc_1", name: AccountName(givenName: "J", familyName: "A", formatted: "J A"), email: "j@x",
                emailVerified: true, isPrivateEmail: false, createdAt: APITime(secondsSince1970: 1_795_000_000)),
            session: SessionBody(accessToken: "a", expiresIn: 600, refreshToken: "r"), isNewAccount: true)
        #expect(try value(json(answer)) == answer)
        let request = NativeSignInRequest(
            identityToken: "t", authorizationCode: "c", nonce: "n", fullName: FullName(givenName: "J"))
        #expect(try value(json(request)) == request)
        #expect(try value("{}") == ChallengeRequest())
        #expect(try value(#"{"purpose":"sign_in"}"#) == ChallengeRequest(purpose: .signIn))
        let keys = KeySetAnswer(keys: [PublicKeyBody(kid: "key_1", x: "x", y: "y")])
        #expect(try value(json(keys)) == keys)
        let ready = ReadinessAnswer(status: .ready, apple: "apple")
        #expect(try json(ready) == #"{"apple":"apple","status":"ready"}"#)
        #expect(try value(json(ready)) == ready)
    }

    @Test("An error's details belong to its code")
    func errors() throws {
        let invalid = ErrorEnvelope(
            ErrorEnvelope.Body(
                code: .invalidRequest, message: "m", requestID: "1",
                details: .invalidRequest(InvalidField(field: "nonce"))))
        #expect(
            try json(invalid) == """
                {"error":{"code":"invalid_request","details":{"field":"nonce"},"message":"m","requestID":"1"}}
                """)
        #expect(try value(json(invalid)) == invalid)
        let whole = ErrorEnvelope(
            ErrorEnvelope.Body(
                code: .invalidRequest, message: "m", requestID: "1", details: .invalidRequest(InvalidField(field: nil)))
        )
        #expect(try json(whole).contains(#""details":{"field":null}"#))
        #expect(try value(json(whole)) == whole)
        let limited = ErrorEnvelope(
            ErrorEnvelope.Body(
                code: .rateLimited, message: "m", requestID: "1", details: .rateLimited(RetryDelay(retryAfter: 60))))
        #expect(try json(limited).contains(#""details":{"retryAfter":60}"#))
        #expect(try value(json(limited)) == limited)
        let plain = ErrorEnvelope(ErrorEnvelope.Body(code: .notFound, message: "m", requestID: "1"))
        #expect(try json(plain) == #"{"error":{"code":"not_found","message":"m","requestID":"1"}}"#)
    }

    @Test("A code and details of a newer server decode")
    func newerServer() throws {
        let envelope: ErrorEnvelope = try value(
            #"{"error":{"code":"out_of_juice","message":"m","requestID":"1","details":{"fruit":"kiwi"}}}"#)
        #expect(envelope.error.code == ErrorCode(rawValue: "out_of_juice"))
        #expect(envelope.error.details == nil)
    }

    @Test(
        "Times are RFC 3339",
        arguments: [
            ("2026-11-21T08:30:00Z", 1_795_249_800), ("2026-11-21T08:30:00.75Z", 1_795_249_800),
            ("2026-11-21T09:30:00+01:00", 1_795_249_800), ("1970-01-01T00:00:00Z", 0),
        ] as [(String, Int64)]
    )
    func times(text: String, seconds: Int64) throws {
        let time: [APITime] = try value("[\"\(text)\"]")
        #expect(time == [APITime(secondsSince1970: seconds)])
    }

    @Test("A time is written as Foundation writes it: every day of four centuries, and the ends of what clocks show")
    func writtenTimes() throws {
        // A prime near the seconds of a day, so that hours, minutes and seconds go through all they can be.
        let days = stride(from: Int64(0), to: 400 * 366 * 86_400, by: 86_399)
        let ends: [Int64] = [-1, -86_400, 253_402_300_799, 253_402_300_800, 951_782_400, 4_107_542_400]
        for seconds in ends + Array(days) {
            let time = APITime(secondsSince1970: seconds)
            #expect(time.text == time.date.formatted(.iso8601), "\(seconds)")
        }
    }

    @Test("A text that isn't a time is refused", arguments: ["", "yesterday", "2026-11-21", "2026-13-01T00:00:00Z"])
    func noTimes(text: String) {
        #expect(throws: DecodingError.self) { try value("[\"\(text)\"]", as: [APITime].self) }
    }
}
