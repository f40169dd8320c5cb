@_exported public import AccountConnection
public import Foundation
import TaskSignals

// Apple's client API comes with this module: the system's where there is one, ours elsewhere. The ways by browser and by code
// are ours everywhere.
#if canImport(Darwin)
    @_exported public import AuthenticationServices
    public import OpenAuthenticationServices
    @_exported public import struct OpenAuthenticationServices.AuthenticationServicesConfiguration
#else
    @_exported public import OpenAuthenticationServices
#endif

/// Signs a person in with Apple at an account service, and keeps them signed in.
///
/// Make one client for each app and person. Any task may make its calls. The client keeps the session in memory and in
/// secret storage, and asks the account service for new access tokens in time. It forgets the session only when the service
/// ends it or ``signOut()`` is called, never because it could not reach the service.
public final class AccountClient: Sendable {
    let calls: AccountCalls
    package let configuration: AuthenticationServicesConfiguration
    /// Performs all sign-ins by browser or code, so that a new one ends the one that waits.
    let performer: AccountServicePerformer

    /// The task that follows the account's events; nil until ``watch()`` is called.
    let watching = Lock<Task<Void, Never>?>(nil)

    #if canImport(Darwin)
        /// Observes the system's notifications about Apple's credentials; nil in this package's tests.
        let appleObservation: AppleObservation?
    #endif

    /// Makes a client of an account service.
    /// - Parameters:
    ///   - backend: the account service; https, or http on this machine.
    ///   - app: the name by which the account service knows this app.
    ///   - storage: where the session is kept; nil is ``SystemStorage/shared``.
    ///   - deviceName: the name of this device in the person's list of sessions; empty gives none.
    ///   - configure: changes how calls travel, and how a person gets to the account service: browser, device code.
    public convenience init(
        backend: URL, app: String, storage: (any SecretStorage)? = nil, deviceName: String = SystemDevice.name,
        configure: (inout AuthenticationServicesConfiguration) -> Void = { _ in }
    ) {
        var configuration = AuthenticationServicesConfiguration(backend: backend, app: app)
        configure(&configuration)
        self.init(
            configuration: configuration, storage: storage ?? SystemStorage.shared, deviceName: deviceName,
            environment: .system, observesApple: true)
    }

    /// - Parameter observesApple: whether the system's own notices are followed, on Apple's platforms.
    package init(
        configuration: AuthenticationServicesConfiguration, storage: any SecretStorage, deviceName: String = "",
        environment: ClientEnvironment, time: FlowTime = .system, observesApple: Bool = false
    ) {
        let calls = AccountCalls(
            connection: ServiceConnection(backend: configuration.backend, transport: configuration.transport),
            app: configuration.app, storage: storage, deviceName: deviceName, environment: environment)
        var configuration = configuration
        #if canImport(Darwin)
            appleObservation = observesApple ? AppleObservation(calls) : nil
        #else
            configuration.existing = calls.existingCredentialSource
        #endif
        self.calls = calls
        self.configuration = configuration
        performer = AccountServicePerformer(configuration: configuration, time: time)
    }

    deinit {
        watching.withLock { $0?.cancel() }
        calls.session.states.finish()
    }

    /// Makes this process's `ASAuthorizationController` and `ASAuthorizationAppleIDProvider` use this client's account
    /// service and session. On Apple's platforms these types are Apple's, and the call does nothing.
    ///
    /// A credential that a controller returns signs nobody in. Pass it to `signIn(with:)`. From now on, the client follows
    /// the account's events while somebody is signed in. So the process gets `credentialRevokedNotification` soon after the
    /// person has stopped using the app with their Apple Account.
    public func installAsShared() {
        #if !canImport(Darwin)
            AuthenticationServicesConfiguration.shared = configuration
            // The client's own performer, so that a controller and this client end each other's requests.
            CurrentPerformer.install(performer)
            watch()
        #endif
    }
}
