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

    /// Hears when Apple's system says that a credential was revoked, and when the app comes to the front. Both are a reason to
    /// ask how the person stands. It hears for as long as it lives.
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
