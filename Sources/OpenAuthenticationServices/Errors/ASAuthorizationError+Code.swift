public import Foundation

extension ASAuthorizationError {
    /// Apple's codes. The last five never come from here: they speak of passkeys and of moving credentials.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        public typealias _ErrorType = ASAuthorizationError

        case unknown = 1000
        /// The person, the app or the time limit has ended it, or there was nothing to be had without asking.
        case canceled = 1001
        /// The account service's answer is not to the request.
        case invalidResponse = 1002
        /// Nobody took the request, for instance because no account service is configured.
        case notHandled = 1003
        case failed = 1004
        /// There is no way to ask the person from here.
        case notInteractive = 1005
        case matchedExcludedCredential = 1006
        case credentialImport = 1007
        case credentialExport = 1008
        case preferSignInWithApple = 1009
        case deviceNotConfiguredForPasskeyCreation = 1010
    }
}
