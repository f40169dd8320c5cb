import AppleID
import AppleIDTypes
import Hummingbird
import Logging

/// The code of the guides in AppleID.docc that belongs to a server, between the markers, in closures.
enum GuideServers {
    struct SignInBody: Decodable {
        let identityToken: String
        let nonce: String
    }

    static func addRoutes(
        to router: Router<BasicRequestContext>, apple: AppleIDClient,
        takeNonce: @escaping @Sendable (String) async throws -> Bool
    ) {
        let addRoutes = { () -> Void in
            // guide
            router.post("sign-in/apple") { request, context in
                let body = try await request.decode(as: SignInBody.self, context: context)
                guard try await takeNonce(body.nonce) else { throw HTTPError(.unauthorized) }
                do throws(AppleIDError) {
                    let identity = try await apple.identityVerifier.verify(
                        body.identityToken,
                        expecting: IdentityExpectation(audiences: ["com.example.juice"], nonce: .issued(body.nonce)))
                    return identity.subject.rawValue
                } catch {
                    context.logger.info("sign-in refused", metadata: ["error": "\(error.code)"])
                    throw HTTPError(error.kind == .token ? .unauthorized : .serviceUnavailable)
                }
            }
            // end
        }
        addRoutes()
    }
}

enum GuideFunction {
    static func signIn(token: String, nonce: String, apple: AppleIDClient) async -> (status: Int, person: Subject?) {
        await { () async -> (status: Int, person: Subject?) in
            // guide
            func signIn(token: String, nonce: String, apple: AppleIDClient) async -> (status: Int, person: Subject?) {
                do throws(AppleIDError) {
                    let identity = try await apple.identityVerifier.verify(
                        token,
                        expecting: IdentityExpectation(audiences: ["com.example.juice"], nonce: .issued(nonce)))
                    return (200, identity.subject)
                } catch {
                    return (error.kind == .token ? 401 : 503, nil)
                }
            }
            // end
            return await signIn(token: token, nonce: nonce, apple: apple)
        }()
    }
}
