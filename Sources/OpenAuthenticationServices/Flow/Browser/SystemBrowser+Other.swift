#if !os(Linux) && !os(FreeBSD) && !os(OpenBSD) && !os(macOS) && !os(Windows)
    extension SystemBrowser {
        /// Programs start no others here. On Android the app opens a Custom Tab itself, with a presenter of its own.
        func command(for url: String) -> Command? { nil }

        static func run(_ command: Command, patience: Duration) async throws { throw BrowserError.absent }
    }
#endif
