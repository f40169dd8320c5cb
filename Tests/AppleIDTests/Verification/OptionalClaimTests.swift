import AppleID
import AppleIDTypes
import Testing

@Suite("Claims that a token may have")
struct OptionalClaimTests {
    @Test(
        "Booleans may be text, and any other value is read as unknown, without an error",
        arguments: [
            ("true", true), ("false", false), (#""true""#, true), (#""false""#, false), (#""TRUE""#, nil),
            (#""1""#, nil), (#""""#, nil),
            ("1", nil), ("0", nil), ("null", nil), ("[]", nil), ("{}", nil),
        ] as [(String, Bool?)])
    func booleans(text: String, expected: Bool?) async throws {
        let claims = TestClaims.identity(["email_verified": text, "is_private_email": text, "nonce_supported": text])
        let identity = try await verify(TestSigner.shared.token(claims))
        #expect(identity.claims.emailVerified == expected)
        #expect(identity.claims.isPrivateEmail == expected)
        #expect(identity.claims.nonceSupported == expected)
        #expect(identity.isEmailVerified == (expected == true))
        #expect(identity.isPrivateEmail == (expected == true))
    }

    @Test("An absent claim counts as not verified and not private")
    func absent() async throws {
        let identity = try await verify(TestSigner.shared.token(.identity()))
        #expect(identity.claims.emailVerified == nil)
        #expect(!identity.isEmailVerified)
        #expect(!identity.isPrivateEmail)
        #expect(identity.email == nil)
    }

    @Test("The claims keep every optional value of a token")
    func everything() async throws {
        let claims = TestClaims.identity([
            "email": #""j\u00f6hn@example.com""#, "real_user_status": "2", "auth_time": "1699999999", "c_hash": #""c""#,
            "at_hash": #""a""#, "transfer_sub": #""t""#, "org_id": #""o""#, "nonce": #""n""#, "more": "[1]",
        ])
        let found = try await verify(TestSigner.shared.token(claims)).claims
        #expect(found.email == "jöhn@example.com")
        #expect(found.realUserStatus == .likelyReal)
        #expect(found.authenticatedAt == 1_699_999_999)
        #expect(found.codeHash == "c")
        #expect(found.accessTokenHash == "a")
        #expect(found.transferSubject == "t")
        #expect(found.organizationID == "o")
        #expect(found.nonce == "n")
    }

    @Test(
        "Optional claims of another type are read as absent, without an error",
        arguments: ["null", "[]", "{}", "true", "1.5"])
    func otherTypes(text: String) async throws {
        let claims = TestClaims.identity([
            "email": text, "real_user_status": text, "c_hash": text, "at_hash": text, "transfer_sub": text,
            "org_id": text,
        ])
        let found = try await verify(TestSigner.shared.token(claims)).claims
        #expect(found.email == nil)
        #expect(found.realUserStatus == nil)
        #expect(found.codeHash == nil)
        #expect(found.transferSubject == nil)
        #expect(found.organizationID == nil)
    }

    @Test(
        "The roster scopes of a school account are read from a list or from one text",
        arguments: [
            (#"["edu.classes.read","edu.users.read"]"#, [.classesRead, .usersRead]),
            (#""edu.classes.read edu.users.read""#, [.classesRead, .usersRead]),
            (#"["edu.brand.new",5]"#, ["edu.brand.new"]), ("[]", []), (#""""#, []), ("5", nil), ("null", nil),
        ] as [(String, [Scope]?)])
    func rosterScopes(text: String, scopes: [Scope]?) async throws {
        let found = try await verify(TestSigner.shared.token(.identity(["scopes": text]))).claims
        #expect(found.rosterScopes == scopes)
    }

    @Test("An empty address, as managed accounts may have it, is read as absent")
    func emptyEmail() async throws {
        #expect(try await verify(TestSigner.shared.token(.identity(["email": #""""#]))).email == nil)
    }
}
