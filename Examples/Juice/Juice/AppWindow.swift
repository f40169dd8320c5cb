import AuthenticationServices

#if canImport(UIKit)
    import UIKit
#else
    import AppKit
#endif

/// The window over which Apple's sheet and the browser come.
@MainActor
enum AppWindow {
    static var current: ASPresentationAnchor {
        #if canImport(UIKit)
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            let active = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
            return active?.keyWindow ?? ASPresentationAnchor()
        #else
            return NSApplication.shared.keyWindow ?? ASPresentationAnchor()
        #endif
    }
}
