import AccountTokens
import AsyncHTTPTransport
import Hummingbird
import Logging
import ServiceLifecycle

@main
struct NotesService {
    static func main() async throws {
        let logger = Logger(label: "notes")
        let transport = AsyncHTTPTransport()
        let verifier = try AccessTokenVerifier(
            issuer: "http://localhost:4000", audience: "http://localhost:4000", transport: transport, logger: logger)

        let router = Router()
        router.get("note") { request, _ in
            let token = try await token(of: request, by: verifier)
            return "The note of \(token.accountID)"
        }
        router.delete("note") { request, _ in
            _ = try await token(of: request, by: verifier, within: .seconds(300))
            return HTTPResponse.Status.noContent
        }
        let application = Application(router: router, services: [transport], logger: logger)
        try await application.runService()
    }
}

func token(
    of request: Request, by verifier: AccessTokenVerifier, within age: Duration? = nil
) async throws -> VerifiedAccessToken {
    guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else {
        throw HTTPError(.unauthorized)
    }
    do throws(AccessTokenError) {
        return try await verifier.verify(String(header.dropFirst(7)), authenticatedWithin: age)
    } catch let error where error.code == .authenticationTooOld {
        throw HTTPError(.forbidden, message: "requires_recent_login")
    } catch {
        throw HTTPError(error.kind == .token ? .unauthorized : .serviceUnavailable)
    }
}
