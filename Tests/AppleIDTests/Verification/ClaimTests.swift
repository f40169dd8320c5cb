import AppleID
import AppleIDTypes
import Testing

@Suite("Claims that every identity token has")
struct ClaimTests {
    @Test(
        "A required claim that is missing or of another JSON type is malformed",
        arguments: [
            ["iss": nil], ["iss": "5"], ["iss": "null"], ["iss": #"["https://appleid.apple.com"]"#], ["aud": nil],
            ["aud": "5"],
            ["aud": "null"], ["aud": "{}"], ["aud": #"["com.example.juice",5]"#], ["exp": nil],
            ["exp": "\"1700086400\""],
            ["exp": "null"], ["exp": "true"], ["exp": "1e300"], ["exp": "-1e300"], ["exp": "9223372036854775807"],
            ["exp": "-9223372036854775808"], ["exp": "99999999999999999999999999"], ["exp": "253402300800"],
            ["iat": nil],
            ["iat": "\"1700000000\""], ["iat": "null"], ["iat": "1e309"], ["sub": "5"], ["sub": "null"], ["sub": "[]"],
        ] as [[String: String?]])
    func malformed(changes: [String: String?]) async throws {
        #expect(try await failure(.identity(changes)) == .malformedClaim)
    }

    @Test(
        "Only Apple is the issuer",
        arguments: [
            "https://account.apple.com", "https://appleid.apple.com/", "http://appleid.apple.com", "appleid.apple.com",
            "",
            "HTTPS://APPLEID.APPLE.COM", "https://appleid.apple.com ",
        ])
    func issuer(text: String) async throws {
        #expect(try await failure(.identity(["iss": "\"\(text)\""])) == .issuerMismatch)
    }

    @Test("One expected audience is enough, alone or in an array, and is the one reported")
    func audiences() async throws {
        let array = TestClaims.identity(["aud": #"["com.example.else","com.example.juice"]"#])
        #expect(try await verify(TestSigner.shared.token(array)).audience == "com.example.juice")
        #expect(try await failure(.identity(), audiences: ["com.example.a", "com.example.juice"]) == nil)
    }

    @Test(
        "Another audience is refused, even if it looks alike",
        arguments: [
            #""com.example.Juice""#, #""com.example.juice ""#, #""TEAM.com.example.juice""#,
            #""com.example.juice.web""#, #""""#, "[]",
            #"["com.example.other"]"#, #"[""]"#,
        ])
    func otherAudience(text: String) async throws {
        #expect(try await failure(.identity(["aud": text])) == .audienceMismatch)
        #expect(try await failure(.identity(["aud": text]), audiences: []) == .audienceMismatch)
        #expect(try await failure(.identity(["aud": #""""#]), audiences: [""]) == .audienceMismatch)
    }

    @Test("Audiences are compared byte by byte: a Kelvin sign is not a K")
    func kelvin() async throws {
        #expect("com.example.\u{212A}" == "com.example.K")
        let claims = TestClaims.identity(["aud": "\"com.example.\u{212A}\""])
        #expect(try await failure(claims, audiences: ["com.example.K"]) == .audienceMismatch)
    }

    @Test(
        "A token is valid until 60 seconds after its expiry",
        arguments: [(0, nil), (59, nil), (60, .tokenExpired), (61, .tokenExpired), (3_600, .tokenExpired)]
            as [(Double, AppleIDError.Code?)])
    func expiry(late: Double, code: AppleIDError.Code?) async throws {
        #expect(try await failure(.identity(), at: 86_400 + late) == code)
    }

    @Test(
        "A token may be issued up to 60 seconds from now",
        arguments: [(0, nil), (-59, nil), (-60, nil), (-61, .issuedInFuture), (-3_600, .issuedInFuture)]
            as [(Double, AppleIDError.Code?)])
    func issuedAt(early: Double, code: AppleIDError.Code?) async throws {
        #expect(try await failure(.identity(), at: early) == code)
    }

    @Test(
        "A token with nbf is valid from 60 seconds before that time",
        arguments: [
            ("1699999000", nil), ("1700000060", nil), ("1700000060.9", nil), ("1700000061", .issuedInFuture),
            ("253402300799", .issuedInFuture), ("\"1700000000\"", .malformedClaim), ("null", .malformedClaim),
            ("true", .malformedClaim), ("1e300", .malformedClaim), ("[]", .malformedClaim),
        ] as [(String, AppleIDError.Code?)])
    func notBefore(text: String, code: AppleIDError.Code?) async throws {
        #expect(try await failure(.identity(["nbf": text])) == code)
    }

    @Test("A fraction of a second is cut off, and an exponent is read as a number")
    func fractions() async throws {
        let claims = TestClaims.identity(["exp": "1700000000.9", "iat": "1.7e9"])
        #expect(try await failure(claims, at: 59) == nil)
        #expect(try await failure(claims, at: 60) == .tokenExpired)
        #expect(try await verify(TestSigner.shared.token(claims)).claims.expiresAt == 1_700_000_000)
    }

    @Test("Times at the ends of the range neither crash nor pass")
    func farTimes() async throws {
        #expect(try await failure(.identity(["exp": "-253402300799"])) == .tokenExpired)
        #expect(try await failure(.identity(["iat": "253402300799"])) == .issuedInFuture)
        #expect(try await failure(.identity(), at: 1e300) == .tokenExpired)
        #expect(try await failure(.identity(), at: -1e300) == .issuedInFuture)
        #expect(try await failure(.identity(), at: .infinity) == .tokenExpired)
    }

    @Test("A token without a subject is refused", arguments: [nil, #""""#])
    func subject(text: String?) async throws {
        #expect(try await failure(.identity(["sub": text])) == .subjectMissing)
    }

    @Test("A subject has at most 255 bytes and is otherwise opaque")
    func subjectLength() async throws {
        #expect(try await failure(.identity(["sub": "\"\(String(repeating: "s", count: 255))\""])) == nil)
        #expect(try await failure(.identity(["sub": "\"\(String(repeating: "s", count: 256))\""])) == .malformedClaim)
    }

    @Test(
        "A token with events, of whatever type, is refused as another kind of token",
        arguments: ["{}", "null", "\"\"", "[]", "\"{}\""])
    func events(text: String) async throws {
        #expect(try await failure(.identity(["events": text])) == .notAnIdentityToken)
        #expect(try await failure(.notification(["sub": "\"s\"", "events": text])) == .notAnIdentityToken)
    }

    @Test("A notification without exp is called a notification, not a malformed token")
    func notificationWithoutExpiry() async throws {
        #expect(try await failure(.notification(["exp": nil])) == .notAnIdentityToken)
    }
}
