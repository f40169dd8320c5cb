public import AccountConnection
public import Foundation
import TaskSignals

/// The configuration of controllers where Apple's own sheet does not exist: which account service they ask, and how the
/// person gets there.
///
/// An app sets ``shared`` once, before its first request. Otherwise the environment variables `SIWA_BACKEND` and
/// `SIWA_APP` are read when the first request is performed.
public struct AuthenticationServicesConfiguration: Sendable {
    /// The account service. https, or http on this machine; anything else makes each request fail with `notHandled`.
    public var backend: URL
    /// The name by which the account service knows this app.
    public var app: String
    /// The way on which a person reaches the account service.
    public var flow: Flow = .automatic
    /// Opens pages in a browser.
    public var browser: BrowserPresenter = .system
    /// The time that a person may take, a year at most. Afterwards a request ends as `canceled`, for the reason `timedOut`.
    public var timeout: Duration = .seconds(600)
    /// Shows the code of the device flow; writes to standard error unless replaced.
    ///
    /// It runs beside the flow, which does not wait for it. Its task is cancelled when the code is of no use any more,
    /// so that it may keep a window open until then.
    public var showDeviceCode: @Sendable (DeviceCode) async -> Void = { $0.print() }
    /// Carries calls to the account service.
    public var transport: ServiceTransport = .urlSession
    /// The source of credentials that need no asking. An `AccountClient` fills it in.
    package var existing: ExistingCredentialSource?

    /// Makes a configuration with the defaults of everything else.
    public init(backend: URL, app: String) {
        self.backend = backend
        self.app = app
    }
}

extension AuthenticationServicesConfiguration {
    /// The way on which a person reaches the account service.
    public enum Flow: Hashable, Sendable {
        /// Apple's own sheet where an `AccountClient` has one. Elsewhere the browser of this machine where there is one
        /// and it is this person's, and else a code for another device.
        case automatic
        /// The browser of this machine, and no other way.
        case browser
        /// A code that the person types in a browser on any device.
        case device
    }
}

extension AuthenticationServicesConfiguration {
    private enum Shared {
        case untouched
        case set(AuthenticationServicesConfiguration?)
    }

    private static let stored = Lock(Shared.untouched)

    /// The configuration of the whole process. Setting it decides who performs all requests from then on; nil takes
    /// that back.
    ///
    /// If it was never set, it comes from `SIWA_BACKEND` and `SIWA_APP`. It is nil if either is missing, or if the backend is
    /// no URL.
    public static var shared: AuthenticationServicesConfiguration? {
        get {
            stored.withLock { state in
                if case .set(let configuration) = state { return configuration }
                let configuration = Self(environment: ProcessInfo.processInfo.environment)
                state = .set(configuration)
                if let configuration { CurrentPerformer.install(AccountServicePerformer(configuration: configuration)) }
                return configuration
            }
        }
        set {
            stored.withLock { state in
                state = .set(newValue)
                CurrentPerformer.install(newValue.map { AccountServicePerformer(configuration: $0) })
            }
        }
    }

    package init?(environment: [String: String]) {
        guard let backend = environment["SIWA_BACKEND"].flatMap({ URL(string: $0) }),
            let app = environment["SIWA_APP"], !app.isEmpty
        else { return nil }
        self.init(backend: backend, app: app)
    }
}

/// Answers requests that need no question to the person, from an earlier sign-in.
package struct ExistingCredentialSource: Sendable {
    /// - Throws: `canceled`, for the reason `noStoredCredential`, when there is none.
    package var existingCredential:
        @Sendable (ExistingCredentialRequests) async throws(ASAuthorizationError) -> ExistingCredential
    /// Answers as ``AuthorizationPerformer/credentialState(forUserID:)`` does.
    package var credentialState:
        @Sendable (_ userID: String) async
            -> (state: ASAuthorizationAppleIDProvider.CredentialState, error: (any Error)?)
    /// Returns the SHA-256 of a user's `transfer_sub`, in hexadecimal digits, after the app has moved to another team;
    /// nil for a user who has not moved.
    package var transferSubjectHash: (@Sendable (_ userID: String) async -> String?)?
    /// Forgets the session, for a request whose operation is to sign out.
    package var endSession: (@Sendable () async -> Void)?
    /// Replaces the saved password of a user by Sign in with Apple. It asks the person through the given function.
    package var replacePassword:
        (@Sendable (_ user: String, _ ask: @escaping AskPerson) async throws(ASAuthorizationError) -> Void)?

    /// Asks the person to sign in with Apple.
    package typealias AskPerson =
        @Sendable (AppleIDRequestValues) async throws(ASAuthorizationError) -> AppleIDCredentialValues

    package init(
        existingCredential:
            @escaping @Sendable (ExistingCredentialRequests) async throws(ASAuthorizationError) ->
            ExistingCredential,
        credentialState:
            @escaping @Sendable (_ userID: String) async -> (
                state: ASAuthorizationAppleIDProvider.CredentialState, error: (any Error)?
            ),
        transferSubjectHash: (@Sendable (_ userID: String) async -> String?)? = nil,
        endSession: (@Sendable () async -> Void)? = nil,
        replacePassword: (
            @Sendable (_ user: String, _ ask: @escaping AskPerson) async throws(ASAuthorizationError) -> Void
        )? = nil
    ) {
        self.existingCredential = existingCredential
        self.credentialState = credentialState
        self.transferSubjectHash = transferSubjectHash
        self.endSession = endSession
        self.replacePassword = replacePassword
    }
}
