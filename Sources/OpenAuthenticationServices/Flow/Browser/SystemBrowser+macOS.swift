#if os(macOS)
    extension SystemBrowser {
        func command(for url: String) -> Command? {
            Command(program: "/usr/bin/open", arguments: [url])
        }
    }
#endif
