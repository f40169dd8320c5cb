import AccountTokens
import AppleIDTransport
import Foundation
import Logging

// Somebody's service beside the account service: it takes access tokens and knows whose they are.

/// The source of the key set, in place of a network.
struct KeySet: AppleTransport {
    var isThere = true

    struct Gone: Error {}

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        guard isThere, request.url == Sample.issuer + "/.well-known/jwks.json" else { throw Gone() }
        return AppleResponse(status: 200, body: Array(Sample.keySet.utf8))
    }
}

@main
struct Service {
    static func main() async throws {
        print("good: \(await answer(to: Sample.token))")
        print("recent: \(await answer(to: Sample.token, within: .seconds(60)))")
        print("late: \(await answer(to: Sample.token, after: 660))")
        print("elsewhere: \(await answer(to: Sample.token, audience: "https://files.example.com"))")
        print("changed: \(await answer(to: Sample.token.replacingOccurrences(of: ".ey", with: ".eZ")))")
        print("out of reach: \(await answer(to: Sample.token, keys: KeySet(isThere: false)))")
    }

    /// Returns the answer of a route.
    static func answer(
        to token: String, after seconds: Double = 0, audience: String = Sample.audience, within age: Duration? = nil,
        keys: KeySet = KeySet()
    ) async -> String {
        do {
            let verifier = try AccessTokenVerifier(
                issuer: Sample.issuer, audience: audience, transport: keys,
                now: { Date(timeIntervalSince1970: Sample.issuedAt + seconds) }, logger: Logger(label: "service6"))
            return "200 \(try await verifier.verify(token, authenticatedWithin: age).accountID)"
        } catch {
            switch error.kind {
            case .token where error.code == .authenticationTooOld: return "403 \(error.code)"
            case .token: return "401 \(error.code)"
            case .transient: return "503 \(error.code)"
            case .configuration: return "500 \(error.code)"
            @unknown default: return "503 \(error.code)"
            }
        }
    }
}
