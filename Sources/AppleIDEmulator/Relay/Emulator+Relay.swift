import Hummingbird
import ServiceLifecycle

extension Emulator {
    /// The port that the mail server listens on; nil while there is none. It listens before the emulator itself does.
    public var mailPort: Int? { authority.relayPort.number }

    /// A server that takes mail, too, if the configuration wants it to.
    func addingRelay<Responder>(
        to application: Application<Responder>, host: String
    ) -> Application<Responder> {
        guard let port = authority.configuration.mailPort else { return application }
        var application = application
        let relayPort = authority.relayPort
        application.addServices(
            RelayService(
                authority: authority, host: host, port: port, logger: application.logger,
                onListening: { relayPort.set($0) }))
        application.beforeServerStarts { await relayPort.wait() }
        return application
    }
}
