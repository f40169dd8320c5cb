import AccountAPI
import AuthenticationServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension BackendAPI {
    struct Refusal: Error {
        let code: ErrorCode
    }

    /// Sends the code to the account service, and nothing beside it but whose code it is.
    static func accountService(at backend: Backend) -> BackendAPI {
        BackendAPI { code in
            try await signIn(at: backend, code: code).session.accessToken
        }
    }

    static func signIn(at backend: Backend, code: String) async throws -> SignInAnswer {
        var request = URLRequest(url: backend.url.appending(path: "v1/sign-in/apple"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(
            NativeSignInRequest(
                identityToken: nil, authorizationCode: code, nonce: nil, clientID: Backend.app.rawValue))
        let (body, response) = try await URLSession.shared.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw Refusal(code: try JSONDecoder().decode(ErrorEnvelope.self, from: body).error.code)
        }
        return try JSONDecoder().decode(SignInAnswer.self, from: body)
    }
}
