#if os(Windows)
    extension SystemBrowser {
        /// Not `cmd /c start`: that is a shell, and reads `&` in a URL as its own.
        func command(for url: String) -> Command? {
            let root = environment["SystemRoot"] ?? #"C:\Windows"#
            return Command(program: root + #"\System32\rundll32.exe"#, arguments: ["url.dll,FileProtocolHandler", url])
        }
    }
#endif
