import Foundation

extension AccountCalls {
    /// How long it takes Apple to tell an account service that a person has left: mostly seconds.
    private static let pausesForNotification: [Duration] = [.seconds(10), .seconds(60), .seconds(300)]

    /// Asks the system how the person who is signed in stands, and the account service if the system says that they have
    /// left.
    ///
    /// The system's word alone ends no session. A simulator may call everybody revoked, and a person who had
    /// ``AccountClient/revokeToken(promptingIfNeeded:presentationAnchor:)`` do it keeps the session. Apple also tells the
    /// account service, but perhaps a little later, so the service is asked four times at most.
    /// - Parameter state: asks the system.
    func compareWithApple(_ state: @Sendable (_ user: String) async throws -> CredentialState) async {
        do {
            guard let user = try await session.ask(.read).session?.user, try await hasLeft(user, state) else { return }
            for pause in [.zero] + Self.pausesForNotification {
                if pause > .zero { try await environment.sleep(pause) }
                guard try await session.ask(.read).session?.user == user else { return }
                if try await credentialState() != .authorized { return }
            }
        } catch {
            // The comparison has no caller to tell. The client compares again at the app's next start, and when the app comes
            // to the front.
        }
    }

    private func hasLeft(
        _ user: String, _ state: (_ user: String) async throws -> CredentialState
    ) async throws -> Bool {
        switch try await state(user) {
        case .revoked, .notFound: true
        default: false
        }
    }
}
