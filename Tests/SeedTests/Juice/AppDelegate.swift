import AccountClient
import AuthenticationServices

/// The sample's app delegate: its snippet, in a class that is none.
@MainActor
final class AppDelegate: NSObject {
    struct UIApplication {
        struct LaunchOptionsKey: Hashable {}
    }

    /// Shows whether the login is up.
    @MainActor
    final class RootViewController {
        private(set) var showsLogin = false

        func showLoginViewController() {
            showsLogin = true
        }
    }

    @MainActor
    final class Window {
        let rootViewController: RootViewController? = RootViewController()
    }

    let window: Window? = Window()
    /// Noted when the snippet has had its answer.
    nonisolated let answered = Happenings<Void>()

    // MARK: Check User Credentials at Launch

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let appleIDProvider = ASAuthorizationAppleIDProvider()
        appleIDProvider.getCredentialState(forUserID: KeychainItem.currentUserIdentifier) { (credentialState, error) in
            defer { self.answered.note(()) }
            switch credentialState {
            case .authorized:
                break  // The Apple ID credential is valid.
            case .revoked, .notFound:
                // The Apple ID credential is either revoked or was not found, so show the sign-in UI.
                DispatchQueue.main.async {
                    self.window?.rootViewController?.showLoginViewController()
                }
            default:
                break
            }
        }
        return true
    }
}
