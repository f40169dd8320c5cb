import AccountConnection
import Foundation
import OpenAuthenticationServices

#if canImport(Darwin)
    import AuthenticationServices
#endif

extension AccountClientError {
    /// Makes the error of an authorization by a controller: Apple's, or the one of this package.
    /// - Parameter error: the error that the controller gave its delegate.
    init(authorization error: any Error, file: String = #fileID, line: UInt = #line) {
        #if canImport(Darwin)
            if let cause = error as? AuthenticationServices.ASAuthorizationError {
                self.init(
                    FailedAuthorization(number: cause.code.rawValue, userInfo: cause.userInfo, cause: cause),
                    file: file, line: line)
                return
            }
        #else
            if let cause = error as? OpenAuthenticationServices.ASAuthorizationError {
                self.init(flow: cause, file: file, line: line)
                return
            }
        #endif
        self.init(.authorizationFailed, "no authorization was given", cause: error, file: file, line: line)
    }

    /// Makes the error of an authorization by a browser, a device code or a test's script.
    init(flow error: OpenAuthenticationServices.ASAuthorizationError, file: String = #fileID, line: UInt = #line) {
        var failure = FailedAuthorization(number: error.code.rawValue, userInfo: error.userInfo, cause: error)
        failure.service = (error as NSError).userInfo[NSUnderlyingErrorKey] as? ServiceError
        failure.isServiceUnavailable = error.reason == .serviceUnavailable
        self.init(failure, file: file, line: line)
    }
}
