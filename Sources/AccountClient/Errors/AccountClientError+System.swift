#if canImport(Darwin)
    import AuthenticationServices
    import Foundation

    extension AccountClientError {
        /// - Parameter error: what Apple's controller gave its delegate.
        init(authorization error: any Error, file: String = #fileID, line: UInt = #line) {
            guard let cause = error as? ASAuthorizationError else {
                self.init(.authorizationFailed, "no authorization was given", cause: error, file: file, line: line)
                return
            }
            self.init(
                FailedAuthorization(number: cause.code.rawValue, userInfo: cause.userInfo, cause: cause), file: file,
                line: line)
        }
    }
#endif
