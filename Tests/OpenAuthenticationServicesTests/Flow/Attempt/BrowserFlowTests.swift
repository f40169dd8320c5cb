import AccountAPI
import Crypto
import Foundation
import TaskSignals
import Testing

@testable import OpenAuthenticationServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Signing in through the browser", .timeLimit(.minutes(2)))
struct BrowserFlowTests {
    @Test("The request reaches the service unchanged, and the credential reaches the app unchanged")
    func wholeWay() async throws {
        let wire = Wire { call in
            try Wire.standard(call) { body in
                body.email = "a@example.com"
                body.fullName = FullName(givenName: "Ada", familyName: "Lovelace")
            }
        }
        let performer = AccountServicePerformer(configuration: wire.configuration())
        let values = try await performer.authorize(
            AppleIDRequestValues(requestedScopes: [.email, .fullName], state: "st", nonce: "no"))

        let begun = try #require(wire.begun)
        #expect(begun.app == "juice")
        #expect(begun.scope == "email name")
        #expect(begun.nonce == "no")
        #expect(begun.state == "st")
        #expect(begun.redirectURI?.hasPrefix("http://127.0.0.1:") == true)
        #expect(wire.paths == ["/v1/authorizations", "/v1/authorizations/redeem"])

        #expect(values.user == Wire.user)
        #expect(values.state == "st")
        #expect(values.authorizedScopes == [.email, .fullName])
        #expect(values.authorizationCode == Data("siwa_c1.code".utf8))
        #expect(values.identityToken == Data(Wire.identityToken(nonce: "no").utf8))
        #expect(values.email == "a@example.com")
        #expect(values.fullName?.givenName == "Ada")
        #expect(values.realUserStatus == .unsupported)
        #expect(values.userAgeRange == .unknown)
    }

    @Test("A handle that the service has not got, or can't take now, is sent again")
    func redeemedAgain() async throws {
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations/redeem", call.earlier < 2 else {
                return try Wire.standard(call)
            }
            guard call.earlier == 0 else { return try Wire.refusal(503, .unavailable) }
            throw URLError(.cannotConnectToHost)
        }
        let time = VirtualTime()
        let values = try await AccountServicePerformer(configuration: wire.configuration(), time: time.flowTime)
            .authorize(AppleIDRequestValues())
        #expect(values.user == Wire.user)
        #expect(wire.requests.count { $0.path == "/v1/authorizations/redeem" } == 3)
        #expect(time.pauses.count == 2)
    }

    @Test("A handle is not sent again if the service may have taken it")
    func redeemedOnce() async throws {
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations/redeem" else { return try Wire.standard(call) }
            throw URLError(.networkConnectionLost)
        }
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await AccountServicePerformer(configuration: wire.configuration()).authorize(AppleIDRequestValues())
        }
        #expect(error?.reason == .serviceUnavailable)
        #expect(wire.requests.count { $0.path == "/v1/authorizations/redeem" } == 1)
    }

    @Test("A later sign-in has no name and no e-mail", arguments: [nil, FullName()])
    func later(name: FullName?) async throws {
        let wire = Wire { call in try Wire.standard(call) { $0.fullName = name } }
        let values = try await AccountServicePerformer(configuration: wire.configuration()).authorize(
            AppleIDRequestValues(requestedScopes: [.fullName, .email]))
        #expect(values.fullName == nil)
        #expect(values.email == nil)
    }

    @Test("Scopes that the service doesn't know are left out, and without any the scope is empty")
    func scopes() async throws {
        for (scopes, text) in [([], ""), ([.fullName], "name"), ([ASAuthorization.Scope("x"), .email], "email")] {
            let wire = Wire()
            let values = try await AccountServicePerformer(configuration: wire.configuration()).authorize(
                AppleIDRequestValues(requestedScopes: scopes))
            #expect(wire.begun?.scope == text)
            #expect(values.authorizedScopes == scopes.filter { $0 != ASAuthorization.Scope("x") })
        }
    }

    @Test("The authorized scopes are the granted ones, not the requested ones")
    func granted() async throws {
        let wire = Wire { call in try Wire.standard(call) { $0.scope = "email openid" } }
        let values = try await AccountServicePerformer(configuration: wire.configuration()).authorize(
            AppleIDRequestValues(requestedScopes: [.fullName, .email]))
        #expect(values.authorizedScopes == [.email])
    }

    @Test("The challenge is the S256 of a fresh verifier, which is sent only when the handle is redeemed")
    func proofKey() async throws {
        var verifiers: Set<String> = []
        for _ in 0..<3 {
            let wire = Wire()
            _ = try await AccountServicePerformer(configuration: wire.configuration()).authorize(AppleIDRequestValues())
            let redemption = try JSONDecoder().decode(
                RedeemAuthorizationRequest.self, from: try #require(wire.requests.last?.body))
            #expect(redemption.handle == "h4nd1e")
            #expect(redemption.deviceCode == nil)
            #expect(redemption.codeVerifier.utf8.count == 43)
            let digest = Data(SHA256.hash(data: Data(redemption.codeVerifier.utf8))).base64EncodedString()
            let challenge = digest.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            #expect(wire.begun?.codeChallenge == challenge)
            let first = String(decoding: try #require(wire.requests.first?.body), as: UTF8.self)
            #expect(!first.contains(redemption.codeVerifier))
            verifiers.insert(redemption.codeVerifier)
        }
        #expect(verifiers.count == 3)
    }

    @Test("The browser opens only the page that the service names")
    func page() async throws {
        let opened = Lock<[URL]>([])
        let wire = Wire()
        var configuration = wire.configuration()
        configuration.browser = BrowserPresenter { url in
            opened.withLock { $0.append(url) }
            try await Wire.follow("\(wire.begun?.redirectURI ?? "")?handle=x&id=\(Wire.id)")
        }
        _ = try await AccountServicePerformer(configuration: configuration).authorize(AppleIDRequestValues())
        #expect(opened.withLock { $0 }.map(\.absoluteString) == [Wire.page])
    }

    @Test(
        "A URL that isn't a web page is not opened",
        arguments: ["file:///etc/passwd", "javascript:alert(1)", "", "x y"])
    func noWebPage(page: String) async throws {
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations" else { return try Wire.standard(call) }
            return try Wire.json(
                RedirectAuthorizationAnswer(
                    id: Wire.id, url: page, expiresAt: APITime(secondsSince1970: 1_800_000_600)))
        }
        var configuration = wire.configuration()
        configuration.browser = BrowserPresenter { _ in Issue.record("opened") }
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await AccountServicePerformer(configuration: configuration).authorize(AppleIDRequestValues())
        }
        #expect(error?.code == .invalidResponse)
        #expect(error?.reason == .unreadableAnswer)
    }

    @Test("The presenter may return long before the person comes back, or after the sign-in")
    func presenterReturns() async throws {
        let wire = Wire()
        var configuration = wire.configuration(.browser)
        configuration.browser = BrowserPresenter { _ in
            let target = "\(wire.begun?.redirectURI ?? "")?handle=x&id=\(Wire.id)"
            Task { try await Wire.follow(target) }
        }
        #expect(
            try await AccountServicePerformer(configuration: configuration).authorize(AppleIDRequestValues()).user
                == Wire.user)

        let never = OneShot<Void>()
        configuration.browser = BrowserPresenter { _ in
            try await Wire.follow("\(wire.begun?.redirectURI ?? "")?handle=x&id=\(Wire.id)")
            try await never.value()
        }
        #expect(
            try await AccountServicePerformer(configuration: configuration).authorize(AppleIDRequestValues()).user
                == Wire.user)
        never.deliver(.success(()))
    }

    @Test("Once the credential is there, the listener is closed")
    func closed() async throws {
        let wire = Wire()
        _ = try await AccountServicePerformer(configuration: wire.configuration()).authorize(AppleIDRequestValues())
        let port = try #require(URL(string: wire.begun?.redirectURI ?? "")?.port)
        #expect(throws: RawConnection.Refused.self) { try RawConnection(port: UInt16(port)) }
    }
}
