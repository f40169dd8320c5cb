#if !os(Windows)
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Android)
        import Android
    #endif

    extension TerminalDevice {
        /// The terminal's settings at the first access; nil if standard input is no terminal.
        private static let original: termios? = {
            var attributes = termios()
            return unsafe tcgetattr(STDIN_FILENO, &attributes) == 0 ? attributes : nil
        }()

        /// Whether a person reads and types there.
        static var isInteractive: Bool {
            isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        }

        /// The size of the window; nil if the system doesn't say.
        static var size: TerminalSize? {
            var window = winsize()
            guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
            else { return nil }
            return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
        }

        /// Gets every key at once, none of them shown by the terminal, Ctrl-C among them.
        /// - Returns: whether the terminal does so now.
        static func enterRawMode() -> Bool {
            guard var attributes = original else { return false }
            unsafe cfmakeraw(&attributes)
            return unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &attributes) == 0
        }

        /// Shows what is typed on lines, or hides a password. Does nothing where standard input is no terminal.
        static func showTyping(_ isShown: Bool) {
            guard var attributes = original else { return }
            if !isShown { attributes.c_lflag &= ~tcflag_t(ECHO) }
            _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
        }

        /// Takes back ``enterRawMode()`` and ``entering``. It may run in a signal handler: no memory is allocated and
        /// no lock taken (POSIX.1-2024, XSH 2.4.3).
        static func restore() {
            _ = unsafe write(STDOUT_FILENO, leaving.utf8Start, leaving.utf8CodeUnitCount)
            if var attributes = original { _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &attributes) }
        }

        /// A process that crashes leaves the terminal as it was, and then crashes as it would have.
        static func restoreOnCrash() {
            for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
                _ = signal(number) { number in
                    TerminalDevice.restore()
                    _ = signal(number, SIG_DFL)
                    raise(number)
                }
            }
        }

        /// Stops this process until the shell wakes it; does nothing where no shell could.
        static func suspend() {
            // Dispatch's threads block signals; the stop must come before this returns.
            var stop = sigset_t()
            unsafe sigemptyset(&stop)
            unsafe sigaddset(&stop, SIGTSTP)
            unsafe pthread_sigmask(SIG_UNBLOCK, &stop, nil)
            raise(SIGTSTP)
        }

        /// Waits for bytes on standard input.
        /// - Parameter milliseconds: How long to wait; without an end when nil.
        /// - Returns: No bytes when the time is over; nil when no byte will come any more.
        static func bytes(within milliseconds: Int32?) -> [UInt8]? {
            var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            while true {
                let count = unsafe poll(&ready, 1, milliseconds ?? -1)
                if count == 0 { return [] }
                if count < 0 {
                    if errno == EINTR { continue }
                    return nil
                }
                var bytes = [UInt8](repeating: 0, count: 256)
                let length = unsafe read(STDIN_FILENO, &bytes, bytes.count)
                if length > 0 { return Array(bytes.prefix(length)) }
                if length == 0 || errno != EINTR { return nil }
            }
        }
    }
#endif
