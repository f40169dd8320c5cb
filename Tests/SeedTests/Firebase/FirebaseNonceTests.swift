import AuthenticationServices
import AuthenticationServicesTesting
import CryptoKit
import Testing

@MainActor
@Suite("The Firebase guide's nonce", .timeLimit(.minutes(1)))
struct FirebaseNonceTests {
    private let controller = MainViewController()

    @Test("Firebase › Sign in with Apple and authenticate with Firebase › step 1, the nonce", arguments: [1, 32, 100])
    func nonce(length: Int) {
        let nonces = (0..<50).map { _ in controller.randomNonceString(length: length) }
        let charset = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVXYZabcdefghijklmnopqrstuvwxyz-._")
        // 64 divides 256: no character is likelier than another.
        #expect(charset.count == 64)
        #expect(nonces.allSatisfy { $0.count == length && charset.isSuperset(of: $0) })
        #expect(length == 1 || Set(nonces).count == nonces.count)
        #expect(controller.randomNonceString().count == 32)
    }

    @Test("Firebase › Sign in with Apple and authenticate with Firebase › step 1, its hash")
    func hash() {
        // NIST's example for "abc".
        #expect(controller.sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("Firebase › Sign in with Apple and authenticate with Firebase › step 2, the flow")
    func flow() async throws {
        let script = AuthorizationScript(.cancel)
        let printed = Happenings<String>()
        try await Printed.$lines.withValue(printed) {
            try await withAuthorizationScript(script) {
                controller.startSignInWithAppleFlow()
                let line = try await printed.next()
                #expect(line.hasPrefix("Sign in with Apple errored: "))
            }
        }
        let nonce = try #require(controller.currentNonce)
        #expect(script.requests.first?.nonce == controller.sha256(nonce))
        #expect(script.requests.first?.requestedScopes == [.fullName, .email])
    }
}
