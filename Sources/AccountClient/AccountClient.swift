public import Foundation
import Synchronization

#if canImport(Darwin)
    import struct OpenAuthenticationServices.ServiceConnection
    import struct OpenAuthenticationServices.ServiceTransport
#endif

/// Signs a person in with Apple at an account service, and keeps them signed in.
///
/// One for each app and person; all of its calls may be made from anywhere. It holds the session in memory and in
/// secret storage, asks the account service for new access tokens when they are due, and lets go of the session only
/// when the service ends it or ``signOut()`` is called: never because the service could not be reached.
public final class AccountClient: Sendable {
    let core: ClientCore
    #if !canImport(Darwin)
        package let configuration: AuthenticationServicesConfiguration
        /// One for all sign-ins, so that a new one ends the one that waits.
        let performer: AccountServicePerformer
    #endif

    #if canImport(Darwin)
        /// - Parameters:
        ///   - backend: the account service; https, or http on this machine.
        ///   - app: the name by which the account service knows this app.
        ///   - storage: where the session is kept; nil is ``SystemStorage/shared``.
        ///   - deviceName: what the person knows this device by, for their list of sessions; empty tells none.
        public init(
            backend: URL, app: String, storage: (any SecretStorage)? = nil, deviceName: String = SystemDevice.name
        ) {
            core = ClientCore(
                connection: ServiceConnection(backend: backend, transport: .urlSession), app: app,
                storage: storage ?? SystemStorage.shared, deviceName: deviceName, environment: .system)
        }
    #else
        /// - Parameters:
        ///   - backend: the account service; https, or http on this machine.
        ///   - app: the name by which the account service knows this app.
        ///   - storage: where the session is kept; nil is ``SystemStorage/shared``.
        ///   - deviceName: what the person knows this device by, for their list of sessions; empty tells none.
        ///   - configure: changes how a person gets to the account service: browser, device code, transport.
        public convenience init(
            backend: URL, app: String, storage: (any SecretStorage)? = nil, deviceName: String = SystemDevice.name,
            configure: (inout AuthenticationServicesConfiguration) -> Void = { _ in }
        ) {
            var configuration = AuthenticationServicesConfiguration(backend: backend, app: app)
            configure(&configuration)
            self.init(
                configuration: configuration, storage: storage ?? SystemStorage.shared, deviceName: deviceName,
                environment: .system)
        }

        package init(
            configuration: AuthenticationServicesConfiguration, storage: any SecretStorage, deviceName: String = "",
            environment: ClientEnvironment, time: FlowTime = .system
        ) {
            let core = ClientCore(
                connection: ServiceConnection(backend: configuration.backend, transport: configuration.transport),
                app: configuration.app, storage: storage, deviceName: deviceName, environment: environment)
            var configuration = configuration
            configuration.existing = core.existingCredentialSource
            self.core = core
            self.configuration = configuration
            performer = AccountServicePerformer(configuration: configuration, time: time)
        }
    #endif

    /// Follows the events of whoever is signed in, once it was asked for.
    let watching = Mutex<Task<Void, Never>?>(nil)

    deinit {
        watching.withLock { $0?.cancel() }
        core.states.finish()
    }

    /// Who is signed in, the present state first. Any number of consumers may follow; a slow one misses what was
    /// overtaken, never the latest. It ends with this client.
    public var session: SessionStates { SessionStates(core: core) }

    /// Who is signed in, without asking the account service; nil too when storage cannot be read.
    public var account: Account? {
        get async { await core.state().account }
    }

    /// A token for the `Authorization: Bearer` header of calls to the account service and to services that trust it,
    /// good for half a minute at least.
    ///
    /// Ask before every call instead of keeping it: the account service is only asked when a new one is due, and once,
    /// however many callers wait. A caller that is cancelled leaves without disturbing the others.
    ///
    /// Throws `notSignedIn`, `sessionEnded`, `backendUnavailable`, `storage`, `cancelled`.
    public func accessToken() async throws -> String {
        try await core.accessToken()
    }

    /// Looks whether somebody is signed in already, without showing anything: what an app calls at its start.
    ///
    /// When the account service does not answer within ten seconds, the account is the one that it last told, and its
    /// ``Account/isConfirmed`` says so: being offline signs nobody out.
    /// - Returns: nil when nobody is signed in, or the account service has ended the session.
    public func existingAccount() async throws -> Account? {
        try await core.existingAccount()
    }

    /// The account as the account service has it now.
    ///
    /// Throws as ``accessToken()`` does, and `invalidResponse`.
    @discardableResult
    public func reloadAccount() async throws -> Account {
        try await core.reloadAccount()
    }

    /// Forgets the session on this device, whatever the account service says, and ends it there if that answers within
    /// five seconds. A sign-in that is under way is cancelled.
    ///
    /// Throws `storage` when the session is forgotten in memory only.
    /// - Returns: whether the account service has ended the session too.
    @discardableResult
    public func signOut() async throws -> Bool {
        try await core.signOut()
    }
}
