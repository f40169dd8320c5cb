import UnixSignals

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The meaning of SIGHUP to a command. The system sends it when a terminal closes; operators send it to have settings read
/// again.
enum Hangup {
    /// Whether a closed terminal ends this program: it has a terminal, and wasn't started with `nohup`.
    static var meansTheEnd: Bool {
        (isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1) && !isIgnored
    }

    /// The signals that end a command which reads its settings only once. `nohup` still keeps it running.
    static var endingSignals: [UnixSignal] {
        isIgnored ? [.sigterm, .sigint] : [.sigterm, .sigint, .sighup]
    }

    /// Whether this program was started so that it ignores SIGHUP, as `nohup` does. To be asked before a signal is
    /// trapped.
    private static let isIgnored: Bool = {
        let former = signal(SIGHUP, SIG_IGN)
        signal(SIGHUP, former)
        return unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }()
}
