import AccountAPI
import Crypto
import Foundation
import Testing

@testable import OpenAuthenticationServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("An app's error for a failure", .timeLimit(.minutes(2)))
struct FlowErrorTests {
    private func error(
        _ configuration: AuthenticationServicesConfiguration, _ request: AppleIDRequestValues = AppleIDRequestValues(),
        time: FlowTime = .system
    ) async throws -> ASAuthorizationError {
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await AccountServicePerformer(configuration: configuration, time: time).authorize(request)
        }
        let found = try #require(error)
        // Every error has a sentence for people, and tells the reason apart.
        #expect(found.userInfo[NSLocalizedDescriptionKey] is String)
        #expect(found.userInfo[NSLocalizedFailureReasonErrorKey] is String)
        #expect(found.reason != nil)
        return found
    }

    private func underlying(_ error: ASAuthorizationError) -> (any Error)? {
        error.userInfo[NSUnderlyingErrorKey] as? any Error
    }

    @Test(
        "Cancelled at Apple, refused or too old: canceled",
        arguments: [
            (ErrorCode.cancelled, ASAuthorizationError.Reason.cancelledAtApple), (.denied, .denied),
            (.expired, .expired),
        ])
    func cancelled(code: ErrorCode, reason: ASAuthorizationError.Reason) async throws {
        let error = try await error(Wire().configuration(returning: "error=\(code)"))
        #expect(error.code == .canceled)
        #expect(error.reason == reason)
    }

    @Test(
        "Unusable URL of the backend: notHandled, with the reason",
        arguments: [
            "http://accounts.example", "ftp://accounts.example", "accounts.example", "https://user@accounts.example",
            "https://accounts.example/?a=b",
        ])
    func backend(url: String) async throws {
        let wire = Wire()
        var configuration = wire.configuration()
        configuration.backend = try #require(URL(string: url))
        let error = try await error(configuration)
        #expect(error.code == .notHandled)
        #expect(error.reason == .notConfigured)
        #expect((error.userInfo[NSLocalizedFailureReasonErrorKey] as? String)?.contains("backend") == true)
        #expect(wire.requests.isEmpty)
    }

    @Test("Unnamed app: notHandled")
    func noApp() async throws {
        var configuration = Wire().configuration()
        configuration.app = ""
        #expect(try await error(configuration).code == .notHandled)
    }

    @Test(
        "App or target unknown to the service: notHandled, with what to configure",
        arguments: [
            (ErrorCode.appUnknown, "app"), (.redirectURIMismatch, "targets"),
        ])
    func unknownApp(code: ErrorCode, word: String) async throws {
        let wire = Wire { _ in try Wire.refusal(400, code) }
        let error = try await error(wire.configuration())
        #expect(error.code == .notHandled)
        #expect(error.reason == .notConfigured)
        #expect((error.userInfo[NSLocalizedFailureReasonErrorKey] as? String)?.contains(word) == true)
        #expect(underlying(error) is ServiceError)
    }

    @Test(
        "Another state than the request's: invalidResponse",
        arguments: [("st", nil), ("st", "other"), (nil, "st")] as [(String?, String?)])
    func state(asked: String?, answered: String?) async throws {
        let wire = Wire { call in try Wire.standard(call) { $0.state = answered } }
        let error = try await error(wire.configuration(), AppleIDRequestValues(state: asked))
        #expect(error.code == .invalidResponse)
        #expect(error.reason == .stateMismatch)
    }

    @Test("Another nonce than the request's, or none: invalidResponse", arguments: [nil, "other", "NO", ""])
    func nonce(answered: String?) async throws {
        let wire = Wire { call in
            try Wire.standard(call) { $0.identityToken = Wire.identityToken(nonce: answered) }
        }
        let error = try await error(wire.configuration(), AppleIDRequestValues(nonce: "no"))
        #expect(error.code == .invalidResponse)
        #expect(error.reason == .nonceMismatch)
    }

    @Test(
        "A token about somebody else than the answer, about nobody, or none at all: invalidResponse",
        arguments: [
            Wire.identityToken(sub: "another", nonce: nil), Wire.identityToken(sub: nil, nonce: nil), "", "a.b.c",
            "a.b",
            "e30.e30", "e30.W10.e30", "e30.e30=.e30",
        ])
    func subject(token: String) async throws {
        let wire = Wire { call in try Wire.standard(call) { $0.identityToken = token } }
        let error = try await error(wire.configuration())
        #expect(error.code == .invalidResponse)
        #expect(error.reason == .unreadableAnswer)
    }

    @Test("Empty user in answer and token: invalidResponse")
    func emptyUser() async throws {
        let wire = Wire { call in
            try Wire.standard(call) {
                $0.user = ""
                $0.identityToken = Wire.identityToken(sub: "", nonce: nil)
            }
        }
        #expect(try await error(wire.configuration()).code == .invalidResponse)
    }

    @Test("Another person than the requested one: failed")
    func otherUser() async throws {
        let error = try await error(Wire().configuration(), AppleIDRequestValues(user: "001234.other"))
        #expect(error.code == .failed)
        #expect(error.reason == .otherUser)
    }

    /// The answer to a request for a user of the former team, by somebody who used the app before it moved.
    /// - Parameter transferSubject: the user's, as the account service knows it.
    private func transferred(
        _ state: ASAuthorizationAppleIDProvider.CredentialState?, _ transferSubject: String? = nil
    ) async throws(ASAuthorizationError) -> AppleIDCredentialValues {
        let wire = Wire { call in
            try Wire.standard(call) {
                $0.identityToken = Wire.identityToken(nonce: nil, transferSubject: "001234.bridge")
            }
        }
        var configuration = wire.configuration()
        configuration.existing = state.map { state in
            ExistingCredentialSource(
                existingCredential: { _ async throws(ASAuthorizationError) in
                    throw ASAuthorizationError(.canceled, reason: .noStoredCredential)
                }, credentialState: { _ in (state, nil) },
                transferSubjectHash: { _ in
                    transferSubject.map { text in
                        SHA256.hash(data: Data(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
                            .joined()
                    }
                })
        }
        return try await AccountServicePerformer(configuration: configuration).authorize(
            AppleIDRequestValues(user: "001234.former"))
    }

    @Test("The requested person, under another id because the app has moved to another team: a credential")
    func transferredUser() async throws {
        #expect(try await transferred(.transferred, "001234.bridge").user == Wire.user)
    }

    @Test(
        "Somebody who used the app before it moved, while the requested person has moved: failed",
        arguments: ["001234.other", nil] as [String?])
    func otherMovedUser(transferSubject: String?) async throws {
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await transferred(.transferred, transferSubject)
        }
        #expect(error?.code == .failed && error?.reason == .otherUser)
    }

    @Test(
        "Somebody else who used the app before it moved: failed",
        arguments: [.authorized, .notFound, nil] as [ASAuthorizationAppleIDProvider.CredentialState?])
    func otherTransferredUser(state: ASAuthorizationAppleIDProvider.CredentialState?) async throws {
        let error = await #expect(throws: ASAuthorizationError.self) { try await transferred(state) }
        #expect(error?.code == .failed && error?.reason == .otherUser)
    }

    @Test("The requested person: a credential")
    func sameUser() async throws {
        let values = try await AccountServicePerformer(configuration: Wire().configuration()).authorize(
            AppleIDRequestValues(user: Wire.user))
        #expect(values.user == Wire.user)
    }

    @Test(
        "A token from Apple that the service refused: invalidResponse",
        arguments: [
            ErrorCode.signatureInvalid, .nonceMismatch, .identityMismatch, .identityTokenMissing,
        ])
    func badToken(code: ErrorCode) async throws {
        let error = try await error(Wire().configuration(returning: "error=\(code)"))
        #expect(error.code == .invalidResponse)
        #expect(underlying(error) is RedirectRefusal)
    }

    @Test(
        "Network down: failed, with the URLError under it",
        arguments: [
            "/v1/authorizations", "/v1/authorizations/redeem",
        ])
    func networkDown(path: String) async throws {
        let wire = Wire { call in
            guard call.request.path == path else { return try Wire.standard(call) }
            throw URLError(.cannotConnectToHost)
        }
        let error = try await error(wire.configuration(), time: VirtualTime().flowTime)
        #expect(error.code == .failed)
        #expect(error.reason == .serviceUnavailable)
        #expect((underlying(error) as? URLError)?.code == .cannotConnectToHost)
    }

    @Test("5xx, with the service's error or a proxy's page: failed", arguments: [500, 502, 503, 504])
    func serverTrouble(status: Int) async throws {
        for answer in [
            try Wire.refusal(status, .internal), ServiceAnswer(status: status, body: Data("<html>".utf8)),
        ] {
            let error = try await error(Wire { _ in answer }.configuration())
            #expect(error.code == .failed)
            #expect(error.reason == .serviceUnavailable)
            #expect(underlying(error) is ServiceError)
        }
    }

    @Test("Apple unreachable for the service: failed")
    func appleTrouble() async throws {
        let error = try await error(Wire().configuration(returning: "error=apple_unavailable"))
        #expect(error.code == .failed)
        #expect(error.reason == .serviceUnavailable)
    }

    @Test("A request that can't be made: notHandled, with what to check")
    func unsendable() {
        let error = ASAuthorizationError(flowFailure: ServiceError.unsendable(URLError(.badURL)))
        #expect(error.code == .notHandled)
        #expect(error.reason == .notConfigured)
        #expect((error.userInfo[NSLocalizedFailureReasonErrorKey] as? String)?.contains("backend") == true)
        #expect(underlying(error) is ServiceError)
    }

    @Test(
        "Refused for another reason, known or new: failed, with the reason",
        arguments: [
            (401, ErrorCode(rawValue: "handle_invalid")), (400, .invalidRequest),
            (400, ErrorCode(rawValue: "word_of_tomorrow")),
        ])
    func refused(status: Int, code: ErrorCode) async throws {
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations/redeem" else { return try Wire.standard(call) }
            return try Wire.refusal(status, code)
        }
        let error = try await error(wire.configuration())
        #expect(error.code == .failed)
        #expect(error.reason == .refused)
        #expect((error.userInfo[NSLocalizedFailureReasonErrorKey] as? String)?.contains(code.rawValue) == true)
        #expect((underlying(error) as? ServiceError)?.code == code)
    }

    @Test(
        "An unreadable answer: invalidResponse",
        arguments: [
            ServiceAnswer(status: 200, body: Data("<html>".utf8)), ServiceAnswer(status: 200, body: Data("{}".utf8)),
            ServiceAnswer(status: 204), ServiceAnswer(status: 302, headers: ["Location": "https://evil.example"]),
            ServiceAnswer(status: 404, body: Data("nothing".utf8)),
        ])
    func unreadable(answer: ServiceAnswer) async throws {
        let error = try await error(Wire { _ in answer }.configuration())
        #expect(error.code == .invalidResponse)
        #expect(error.reason == .unreadableAnswer)
        #expect(underlying(error) is ServiceError)
    }

    @Test("No browser, and no other flow allowed: notInteractive")
    func noBrowser() async throws {
        let wire = Wire()
        let error = try await error(wire.configuration(.browser))
        #expect(error.code == .notInteractive)
        #expect(error.reason == .noBrowser)
        #expect(underlying(error) as? BrowserError == .absent)
        _ = try await wire.first("/v1/authorizations/cancel")
    }

    @Test("Anything else: unknown, with the error under it")
    func unknown() {
        struct Odd: Error {}
        let error = ASAuthorizationError(flowFailure: Odd())
        #expect(error.code == .unknown)
        #expect(underlying(error) is Odd)
        #expect(error.userInfo[NSLocalizedDescriptionKey] is String)
    }

    @Test("No error shows a handle, a verifier, a token, a state or a nonce")
    func secrets() async throws {
        let wire = Wire { call in
            guard call.request.path == "/v1/authorizations/redeem" else { return try Wire.standard(call) }
            return try Wire.refusal(401, ErrorCode(rawValue: "handle_invalid"))
        }
        let error = try await error(
            wire.configuration(returning: "handle=SECRET-HANDLE"),
            AppleIDRequestValues(state: "SECRET-STATE", nonce: "SECRET-NONCE"))
        let verifier = try JSONDecoder().decode(
            RedeemAuthorizationRequest.self, from: try #require(wire.requests.last?.body)
        ).codeVerifier
        let text = "\(error) \(error.userInfo) \(String(reflecting: error)) \(error.localizedDescription)"
        #expect(!text.contains("SECRET"))
        #expect(!text.contains(verifier))
    }
}
