import Logging
import TaskSignals

extension Logger {
    /// Makes a logger to standard error, so that results on standard output stay clean.
    static func standard(level: Logger.Level = .info) -> Logger {
        standard(LogThreshold(level))
    }

    /// A logger whose level can be changed while the program runs, for it and for every copy of it.
    static func standard(_ threshold: LogThreshold) -> Logger {
        Logger(label: "siwa") {
            AdjustableLogHandler(handler: StreamLogHandler.standardError(label: $0), threshold: threshold)
        }
    }
}

/// The minimum level of a program's log.
final class LogThreshold: Sendable {
    private let stored: Lock<Logger.Level>

    init(_ level: Logger.Level) {
        stored = Lock(level)
    }

    var level: Logger.Level {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}

/// Takes its level from a ``LogThreshold``, unless somebody has given this very logger another one.
private struct AdjustableLogHandler: LogHandler {
    var handler: StreamLogHandler
    let threshold: LogThreshold
    private var ownLevel: Logger.Level?

    init(handler: StreamLogHandler, threshold: LogThreshold) {
        self.handler = handler
        self.threshold = threshold
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? threshold.level }
        set { ownLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        handler.log(event: event)
    }
}
