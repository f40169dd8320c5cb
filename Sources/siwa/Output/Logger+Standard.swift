import Logging

extension Logger {
    /// To standard error, so that results on standard output stay clean.
    static func standard(level: Logger.Level = .info) -> Logger {
        var logger = Logger(label: "siwa") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}
