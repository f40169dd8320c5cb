#if canImport(Darwin)
    import AuthenticationServices
    import Foundation

    #if canImport(AppKit)
        import AppKit
    #elseif canImport(WatchKit)
        import WatchKit
    #elseif canImport(UIKit)
        import UIKit
    #endif

    /// Observes the system's notifications that a credential was revoked, and that the app came to the front. After either,
    /// the client asks how the person stands at Apple. It observes for as long as it lives.
    final class AppleObservation: Sendable {
        // unsafe: set once in `init`, and read in `deinit` alone, when nobody else has this object any more.
        private nonisolated(unsafe) let tokens: [any NSObjectProtocol]

        init(_ calls: AccountCalls) {
            unsafe tokens = Self.names.map { name in
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                    Task { await calls.compareWithApple(Self.state) }
                }
            }
        }

        deinit {
            for token in unsafe tokens { NotificationCenter.default.removeObserver(token) }
        }

        private static var names: [Notification.Name] {
            [ASAuthorizationAppleIDProvider.credentialRevokedNotification, becameActive]
        }

        /// Posted at the app's start too.
        private static var becameActive: Notification.Name {
            #if canImport(AppKit)
                NSApplication.didBecomeActiveNotification
            #elseif canImport(WatchKit)
                WKApplication.didBecomeActiveNotification
            #else
                UIApplication.didBecomeActiveNotification
            #endif
        }

        private static func state(of user: String) async throws -> CredentialState {
            try await ASAuthorizationAppleIDProvider().credentialState(forUserID: user)
        }
    }
#endif
