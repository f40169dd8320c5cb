import AccountConnection
import Foundation
import OpenAuthenticationServices

extension AccountClientError {
    #if !canImport(Darwin)
        /// - Parameter error: what a controller gave its delegate.
        init(authorization error: any Error, file: String = #fileID, line: UInt = #line) {
            guard let cause = error as? OpenAuthenticationServices.ASAuthorizationError else {
                self.init(.authorizationFailed, "no authorization was given", cause: error, file: file, line: line)
                return
            }
            self.init(flow: cause, file: file, line: line)
        }
    #endif

    /// - Parameter error: how an authorization by browser or code, or a test's script, has failed.
    init(flow error: OpenAuthenticationServices.ASAuthorizationError, file: String = #fileID, line: UInt = #line) {
        var failure = FailedAuthorization(number: error.code.rawValue, userInfo: error.userInfo, cause: error)
        failure.service = (error as NSError).userInfo[NSUnderlyingErrorKey] as? ServiceError
        failure.isServiceUnavailable = error.reason == .serviceUnavailable
        self.init(failure, file: file, line: line)
    }
}
