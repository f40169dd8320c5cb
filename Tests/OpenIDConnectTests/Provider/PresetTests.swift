import AppleIDTransport
import OpenIDConnect
import Testing

@Suite("The presets")
struct PresetTests {
    private static let tenant = "11111111-2222-3333-4444-555555555555"
    private static let other = "66666666-7777-8888-9999-000000000000"
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private func code(_ test: TestClient, _ claims: [String: String?]) async throws -> OpenIDConnectError.Code? {
        try await failure { try await test.verify(test.provider.token(claims)) }
    }

    // MARK: Google

    @Test("for Google accept both spellings of its issuer, and use one of them for the person")
    func google() async throws {
        let provider = TestProvider("https://accounts.google.com", keys: [TestKey("RS256")])
        let test = try TestClient(
            provider, configuration: .google(clientID: "client-1", secret: "s", appClientIDs: ["ios-1"]))
        for issuer in [#""https://accounts.google.com""#, #""accounts.google.com""#] {
            let identity = try await test.verify(provider.token(["iss": issuer]))
            #expect(identity.issuer == "https://accounts.google.com")
        }
        #expect(try await code(test, ["iss": #""google.com""#]) == .issuerMismatch)
        #expect(try await code(test, ["iss": #""http://accounts.google.com""#]) == .issuerMismatch)
        // A token that an app's own client got for the website's.
        let identity = try await test.verify(provider.token(["azp": #""ios-1""#]))
        #expect(identity.clientID == "ios-1")
        #expect(try await code(test, ["azp": #""ios-2""#]) == .audienceMismatch)
    }

    @Test("for Google accept only the configured Workspace domain")
    func hostedDomain() async throws {
        let provider = TestProvider("https://accounts.google.com", keys: [TestKey("RS256")])
        let test = try TestClient(
            provider, configuration: .google(clientID: "client-1", secret: nil, hostedDomain: "example.com"))
        #expect(try await code(test, ["hd": #""example.com""#]) == nil)
        #expect(try await code(test, ["hd": #""example.org""#]) == .tenantRejected)
        #expect(try await code(test, [:]) == .tenantRejected)
        #expect(try await code(test, ["hd": #"["example.com"]"#]) == .tenantRejected)
        // Only the provider's word counts, never the address.
        #expect(try await code(test, ["email": #""jo@example.com""#, "email_verified": "true"]) == .tenantRejected)
    }

    // MARK: Microsoft

    private func microsoft(
        _ accounts: ProviderConfiguration.MicrosoftAccounts, accepted: Set<String>? = nil
    ) throws -> TestClient {
        let host = "https://login.microsoftonline.com"
        let (issuer, base) =
            switch accounts {
            case .all: ("\(host)/{tenantid}/v2.0", "\(host)/common/v2.0")
            case .organizations: ("\(host)/{tenantid}/v2.0", "\(host)/organizations/v2.0")
            case .personal: ("\(host)/\(Self.personal)/v2.0", "\(host)/\(Self.personal)/v2.0")
            case .directory(let tenant): ("\(host)/\(tenant)/v2.0", "\(host)/\(tenant)/v2.0")
            }
        return try TestClient(
            TestProvider(issuer, base: base, keys: [TestKey("RS256")]),
            configuration: .microsoft(
                accounts, clientID: "client-1", credential: .secret("s"), acceptedTenants: accepted))
    }

    private func claims(_ tenant: String, issuer: String? = nil) -> [String: String?] {
        [
            "tid": "\"\(tenant)\"",
            "iss": issuer.map { "\"\($0)\"" } ?? "\"https://login.microsoftonline.com/\(tenant)/v2.0\"",
        ]
    }

    @Test("for Microsoft put the token's own organization into the issuer of the document")
    func tenants() async throws {
        let test = try microsoft(.all)
        let identity = try await test.verify(test.provider.token(claims(Self.tenant)))
        #expect(identity.issuer == "https://login.microsoftonline.com/\(Self.tenant)/v2.0")
        #expect(try await code(test, claims(Self.personal)) == nil)
        for issuer in [
            "https://login.microsoftonline.com/\(Self.other)/v2.0", "https://login.microsoftonline.com/{tenantid}/v2.0",
            "https://login.microsoftonline.com/\(Self.tenant)/v2.0/", "https://evil.example.com/\(Self.tenant)/v2.0",
        ] {
            #expect(try await code(test, claims(Self.tenant, issuer: issuer)) == .issuerMismatch, "\(issuer)")
        }
        for tenant in ["", "common", "{tenantid}", Self.tenant + "/../evil", "11111111-2222-3333-4444-55555555555G"] {
            let found = try await code(test, claims(tenant))
            #expect(found == .issuerMismatch || found == .malformedClaim, "\(tenant)")
        }
        let issuer = "\"https://login.microsoftonline.com/\(Self.tenant)/v2.0\""
        #expect(try await code(test, ["iss": issuer]) == .issuerMismatch)
        #expect(try await code(test, ["iss": issuer, "tid": "[\"\(Self.tenant)\"]"]) == .issuerMismatch)
    }

    @Test("for Microsoft hold a key to the issuer that it names")
    func keyIssuer() async throws {
        for (issuer, expected) in [
            ("https://login.microsoftonline.com/{tenantid}/v2.0", nil),
            ("https://login.microsoftonline.com/\(Self.tenant)/v2.0", nil),
            ("https://login.microsoftonline.com/\(Self.other)/v2.0", OpenIDConnectError.Code.issuerMismatch),
        ] as [(String, OpenIDConnectError.Code?)] {
            let test = try microsoft(.all)
            try test.provider.change { $0.publicKeys = [try $0.keys[0].publicKey(["issuer": issuer])] }
            #expect(try await code(test, claims(Self.tenant)) == expected)
        }
    }

    @Test("for Microsoft accept only the configured organizations, and personal accounts if configured")
    func acceptedTenants() async throws {
        let organizations = try microsoft(.organizations)
        #expect(try await code(organizations, claims(Self.tenant)) == nil)
        #expect(try await code(organizations, claims(Self.personal)) == .tenantRejected)
        let some = try microsoft(.all, accepted: [Self.tenant])
        #expect(try await code(some, claims(Self.tenant)) == nil)
        #expect(try await code(some, claims(Self.other)) == .tenantRejected)
        let one = try microsoft(.directory(Self.tenant))
        #expect(try await code(one, claims(Self.tenant)) == nil)
        #expect(try await code(one, claims(Self.other)) == .issuerMismatch)
        let personal = try microsoft(.personal)
        #expect(try await code(personal, claims(Self.personal)) == nil)
        #expect(try await code(personal, claims(Self.tenant)) == .issuerMismatch)
        #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) { try microsoft(.directory("common")) }
        #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) { try microsoft(.all, accepted: ["common"]) }
    }

    @Test(
        "for Microsoft refuse accepted organizations beside a directory or personal accounts, and name what to change",
        arguments: [
            (ProviderConfiguration.MicrosoftAccounts.directory(tenant), "the accounts of one directory"),
            (.personal, "personal accounts"),
        ])
    func tenantsWithoutEffect(accounts: ProviderConfiguration.MicrosoftAccounts, named: String) throws {
        for accepted in [[Self.other], [Self.tenant], []] as [Set<String>] {
            let error = #expect(throws: OpenIDConnectError(.invalidConfiguration, "")) {
                try microsoft(accounts, accepted: accepted)
            }
            #expect(
                error?.reason
                    == "accepted tenants have no effect on \(named); leave them out, or accept all accounts or all "
                    + "organizations")
        }
    }

    @Test("for Microsoft count an address as verified only if the owner of its domain was verified")
    func edov() async throws {
        let test = try microsoft(.all)
        for (flag, isVerified) in [(nil, false), ("true", true), ("1", true), (#""1""#, true), ("0", false)]
            as [(String?, Bool)]
        {
            var changes = claims(Self.tenant)
            changes["email"] = #""ceo@example.com""#
            changes["email_verified"] = "true"
            changes["xms_edov"] = .some(flag)
            #expect(try await test.verify(test.provider.token(changes)).isEmailVerified == isVerified)
        }
    }

    @Test("for Microsoft sign in through a browser, with the document of the template")
    func microsoftSignIn() async throws {
        let test = try microsoft(.all)
        test.provider.document([
            "authorization_response_iss_parameter_supported": nil, "code_challenge_methods_supported": nil,
            "token_endpoint_auth_methods_supported": #"["client_secret_post","private_key_jwt","client_secret_basic"]"#,
        ])
        test.provider.change { $0.claims = claims(Self.tenant) }
        let (url, attempt) = try await test.begin()
        #expect(url.hasPrefix("https://login.microsoftonline.com/common/v2.0/authorize?"))
        var fields = try test.provider.authorize(url)
        fields.removeAll { $0.name == "iss" }
        #expect(try await test.finish(fields, of: attempt).subject == "person-1")
        for issuer in ["https://login.microsoftonline.com/{tenantid}/v2.0", "https://evil.example.com"] {
            #expect(
                try await failure { try await test.finish(fields + [(name: "iss", value: issuer)], of: attempt) }
                    == .providerMixUp)
        }
    }

    // MARK: Facebook

    @Test("for Facebook verify the token of Limited Login with its nonce, and begin no sign-in in a browser")
    func facebook() async throws {
        let provider = TestProvider("https://www.facebook.com", keys: [TestKey("RS256")])
        provider.document(["token_endpoint": nil, "response_types_supported": #"["id_token","token id_token"]"#])
        let test = try TestClient(provider, configuration: .facebookLimitedLogin(appID: "client-1"))
        let identity = try await test.verify(
            provider.token(["email": #""jo@example.com""#, "email_verified": "true"]))
        #expect(identity.subject == "person-1")
        // Facebook documents no such claim, so an address is never verified.
        #expect(!identity.isEmailVerified)
        #expect(try await code(test, ["nonce": #""other""#]) == .nonceMismatch)
        #expect(try await code(test, ["nonce": nil]) == .nonceMissing)
        #expect(try await code(test, ["aud": #""another-app""#]) == .audienceMismatch)
        #expect(test.network.requests.first?.url == "https://www.facebook.com/.well-known/openid-configuration/")
        #expect(try await failure { try await test.begin() } == .invalidConfiguration)
        // An access token of OAuth is no identity token.
        #expect(try await failure { try await test.verify("EAABsbCS1iHgBAexampleaccesstoken") } == .malformedToken)
    }
}
