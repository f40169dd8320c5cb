import Foundation

#if canImport(Darwin)
    import AuthenticationServices
#else
    import AccountAPI
    import OpenAuthenticationServices
#endif

extension AccountClientError {
    /// - Parameter error: what a controller gave its delegate.
    init(authorization error: any Error, file: String = #fileID, line: UInt = #line) {
        guard let cause = error as? ASAuthorizationError else {
            self.init(.authorizationFailed, "no authorization was given", cause: error, file: file, line: line)
            return
        }
        guard cause.code != .canceled else {
            self.init(.cancelled, Self.reason(of: cause), cause: cause, file: file, line: line)
            return
        }
        #if !canImport(Darwin)
            if let service = (cause as NSError).userInfo[NSUnderlyingErrorKey] as? ServiceError {
                self.init(service, doing: "asking for an authorization", file: file, line: line)
                return
            }
        #endif
        self.init(
            Self.code(for: cause), Self.reason(of: cause), hint: Self.hint(for: cause), cause: cause, file: file,
            line: line)
    }

    private static func code(for error: ASAuthorizationError) -> Code {
        #if !canImport(Darwin)
            if error.reason == .serviceUnavailable { return .backendUnavailable }
        #endif
        return switch error.code {
        case .notHandled: .notConfigured
        case .invalidResponse: .invalidResponse
        default: .authorizationFailed
        }
    }

    private static func reason(of error: ASAuthorizationError) -> String {
        let reason = error.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        return reason ?? error.localizedDescription
    }

    private static func hint(for error: ASAuthorizationError) -> String? {
        switch error.code {
        case .unknown: "On Apple's platforms: is the device signed in to an Apple Account, and is the capability set?"
        case .notHandled: "Look at the backend's URL and the app's name."
        case .notInteractive: "Without a browser on this machine, choose the device flow."
        default: nil
        }
    }
}
