import AuthenticationServices

/// The guide's fictional backend: an account service that is sent a code and nothing else.
struct BackendAPI: Sendable {
    /// What became of a code: an access token, or nil.
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
