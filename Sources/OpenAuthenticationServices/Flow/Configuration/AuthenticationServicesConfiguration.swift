public import Foundation

/// How the controllers of this process sign people in where Apple's own sheet does not exist: which account service
/// they ask, and how the person gets there.
///
/// An app sets ``shared`` once, before its first request. Without that, the environment variables `SIWA_BACKEND` and
/// `SIWA_APP` are read when the first request is performed.
public struct AuthenticationServicesConfiguration: Sendable {
    /// The account service. https, or http on this machine; anything else makes each request fail with `notHandled`.
    public var backend: URL
    /// The name by which the account service knows this app.
    public var app: String
    public var flow: Flow = .automatic
    public var browser: BrowserPresenter = .system
    /// How long a person may take. Afterwards a request ends as `canceled`, for the reason `timedOut`.
    public var timeout: Duration = .seconds(600)
    /// Shows the code of the device flow; writes to standard error unless replaced.
    ///
    /// It runs beside the flow, which does not wait for it. Its task is cancelled when the code is of no use any more,
    /// so that it may keep a window open until then.
    public var showDeviceCode: @Sendable (DeviceCode) async -> Void = { $0.print() }
    public var transport: ServiceTransport = .urlSession
    /// Where credentials come from that need no asking. An `AccountClient` fills it in.
    package var existing: ExistingCredentialSource?

    public init(backend: URL, app: String) {
        self.backend = backend
        self.app = app
    }
}
