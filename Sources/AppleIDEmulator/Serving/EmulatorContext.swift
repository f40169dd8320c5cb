import Hummingbird
import Logging

/// What travels with a request. It can be made without a socket, for requests from within the process.
struct EmulatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }

    init(logger: Logger) {
        coreContext = .init(source: InProcessSource(logger: logger))
    }

    private struct InProcessSource: RequestContextSource {
        let logger: Logger
    }
}
