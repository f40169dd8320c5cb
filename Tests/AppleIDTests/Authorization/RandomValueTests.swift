import AppleIDTypes
import Crypto
import Foundation
import Logging
import Testing

@testable import AppleID

@Suite("Unguessable values")
struct RandomValueTests {
    let setup: TestClient

    init() throws {
        setup = try TestClient()
    }

    @Test("Nonce, state and verifier are 43 characters each, never the same twice")
    func values() {
        let client = setup.client
        let values = (0..<100).flatMap { _ in
            [client.makeNonce(), client.makeState(), client.makeCodeVerifier().rawValue]
        }
        #expect(Set(values).count == 300)
        for value in values {
            // RFC 7636 §4.1 asks for 43 to 128 of these; the account service takes 20 to 128.
            #expect(value.utf8.count == 43)
            #expect(value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        }
    }

    @Test("They are made from 32 bytes of the environment's randomness")
    func randomness() {
        let environment = AppleIDEnvironment(now: { Date() }, randomBytes: { [UInt8](repeating: 0xFF, count: $0) })
        let client = AppleIDClient(
            clients: [], transport: TestTransport(.status(500)), environment: environment,
            logger: Logger(label: "test"))
        #expect(client.makeNonce() == String(repeating: "_", count: 42) + "8")
    }

    @Test("The system's randomness has as many bytes as asked for", arguments: [0, 1, 7, 8, 9, 32, 1_000])
    func length(count: Int) {
        #expect(AppleIDEnvironment.live.randomBytes(count).count == count)
    }

    @Test("Each byte of the system's randomness varies, at every place of a word of eight bytes")
    func systemRandomness() {
        let bytes = AppleIDEnvironment.live.randomBytes(8_192)
        for place in 0..<8 {
            // 1,024 bytes have some 251 of the 256 values.
            let values = Set(stride(from: place, to: bytes.count, by: 8).map { bytes[$0] })
            #expect(values.count > 200)
        }
    }

    @Test("The challenge is the one of RFC 7636, appendix B")
    func challenge() {
        let verifier = CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("The client sends the values to Apple, and accepts them when they come back")
    func whole() async throws {
        let client = setup.client
        let (state, nonce, verifier) = (client.makeState(), client.makeNonce(), client.makeCodeVerifier())
        let url = try client.authorizationURL(
            for: AuthorizationRequest(
                client: "com.example.juice.web", redirectURI: "https://example.com/back", scopes: [.email],
                state: state, nonce: nonce, codeChallenge: verifier.challenge))
        #expect(url.contains("state=\(state)&nonce=\(nonce)&code_challenge=\(verifier.challenge)"))
        #expect(!url.contains(verifier.rawValue))
        let response = try AuthorizationResponse(form: [("state", state), ("code", "c")])
        #expect(response.hasState(state))
        let token = try TestSigner.shared.token(
            .identity(["aud": "\"com.example.juice.web\"", "nonce": "\"\(nonce)\""]))
        setup.transport.answer(TestClient.answer(["id_token": "\"\(token)\""]))
        _ = try await client.exchange(
            code: "c", client: "com.example.juice.web", nonce: .issued(nonce), redirectURI: "https://example.com/back",
            codeVerifier: verifier.rawValue)
        #expect(setup.fields().contains("code_verifier=\(verifier.rawValue)"))
    }
}
