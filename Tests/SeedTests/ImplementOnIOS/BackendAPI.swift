import AuthenticationServices

/// The guide's fictional backend: an account service that is sent a code and nothing else.
struct BackendAPI: Sendable {
    /// Exchanges a code for an access token.
    let exchange: @Sendable (String) async throws -> String

    @MainActor
    func exchangeCode(_ code: String, completion: @escaping @MainActor (String?, (any Error)?) -> Void) {
        Task {
            do {
                completion(try await exchange(code), nil)
            } catch {
                completion(nil, error)
            }
        }
    }
}
