import AuthenticationServices

/// The guide's handling of changes: its snippets, with a block where it has a selector.
@MainActor
final class RevocationHandler: NSObject {
    enum Event: Sendable, Equatable {
        case goOn
        case signOut
        case showLogin
        case migrate
    }

    nonisolated let happenings = Happenings<Event>()
    nonisolated let userIdentifier: String
    private var observer: (any NSObjectProtocol)?

    init(userIdentifier: String) {
        self.userIdentifier = userIdentifier
    }

    // MARK: Handling changes

    func observe() {
        observer = NotificationCenter.default.addObserver(
            forName: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil, queue: nil
        ) { [weak self] notification in self?.appleIDCredentialRevoked(notification) }
    }

    // ASAuthorizationAppleIDProvider.credentialRevokedNotification handler
    nonisolated func appleIDCredentialRevoked(_ notification: Notification) {
        let appleIDProvider = ASAuthorizationAppleIDProvider()
        appleIDProvider.getCredentialState(forUserID: userIdentifier) { (credentialState, error) in
            switch credentialState {
            case .authorized:
                // The Apple ID credential is valid.
                self.happenings.note(.goOn)
                break
            case .revoked:
                // The Apple ID credential is revoked. Sign out.
                self.happenings.note(.signOut)
                break
            case .notFound:
                // No credential was found. Show login UI.
                self.happenings.note(.showLogin)
                break
            case .transferred:
                // The application was transferred from one development team to another.
                // You can use the same code used to authenticate the user adding the locally saved user identifier in the request.
                self.happenings.note(.migrate)
            }
        }
    }

    isolated deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }
}
