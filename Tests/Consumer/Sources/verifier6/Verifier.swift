import AppleID
import AppleIDTransport
import AppleIDTypes
import Logging

// Somebody's server with an HTTP client of its own: it verifies identity tokens over a transport that it wrote itself.

/// The server's own HTTP client, which is out of order today.
struct OwnTransport: AppleTransport {
    struct Gone: Error {}

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        guard request.url == "https://appleid.apple.com/auth/keys" else { throw Gone() }
        return AppleResponse(status: 503, body: [])
    }
}

@main
struct Verifier {
    static func main() async throws {
        print("malformed: \(await answer(to: "token"))")
        // The header {"alg":"RS256","kid":"A"}, an empty payload, and no signature worth the name.
        print("out of reach: \(await answer(to: "eyJhbGciOiJSUzI1NiIsImtpZCI6IkEifQ.e30.AAAA"))")
    }

    /// Returns the answer of a route.
    static func answer(to token: String) async -> String {
        let apple = AppleIDClient(clients: [], transport: OwnTransport(), logger: Logger(label: "verifier6"))
        do throws(AppleIDError) {
            let identity = try await apple.identityVerifier.verify(
                token, expecting: IdentityExpectation(audiences: ["com.example.juice"], nonce: .issued("nonce")))
            return "200 \(identity.subject)"
        } catch {
            return error.kind == .token ? "401 \(error.code)" : "503 \(error.code)"
        }
    }
}
