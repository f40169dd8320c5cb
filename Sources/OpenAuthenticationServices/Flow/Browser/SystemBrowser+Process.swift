#if os(Linux) || os(FreeBSD) || os(OpenBSD) || os(macOS) || os(Windows)
    import Foundation
    import TaskSignals

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    extension SystemBrowser {
        /// Returns when the program has ended well, or has run for so long that it must be the browser itself.
        static func run(_ command: Command, timeLimit: Duration) async throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: command.program)
            process.arguments = command.arguments
            // Browsers talk a lot, and the terminal is the app's.
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            let ended = OneShot<Int32?>()
            process.terminationHandler = { ended.deliver(.success($0.terminationStatus)) }
            try withSignalsUnblocked { try process.run() }
            let status = try await ended.value(within: timeLimit, otherwise: .success(nil))
            if let status, status != 0 { throw BrowserError.failed(status: status) }
        }

        /// The threads of Swift's pools block signals, and a program inherits that from the thread that starts it: the
        /// browser would not hear a SIGTERM.
        private static func withSignalsUnblocked(_ start: () throws -> Void) rethrows {
            #if canImport(Glibc) || canImport(Musl)
                var (all, former) = (sigset_t(), sigset_t())
                unsafe sigfillset(&all)
                unsafe pthread_sigmask(SIG_UNBLOCK, &all, &former)
                defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
            #endif
            try start()
        }
    }
#endif
