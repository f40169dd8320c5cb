#if os(Linux) || os(FreeBSD) || os(OpenBSD)
    extension SystemBrowser {
        /// `$BROWSER` if it names a program that is there, else `xdg-open` on a desktop.
        ///
        /// `BROWSER` is a list separated by colons, each with its arguments; `%s` stands for the URL.
        func command(for url: String) -> Command? {
            for candidate in (environment["BROWSER"] ?? "").split(separator: ":") {
                let words = candidate.split(separator: " ").map(String.init)
                guard let name = words.first, let program = path(of: name) else { continue }
                let arguments = words.dropFirst()
                return Command(
                    program: program,
                    arguments: arguments.contains { $0.contains("%s") }
                        ? arguments.map { $0.replacing("%s", with: url) } : arguments + [url])
            }
            guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { !(environment[$0] ?? "").isEmpty }),
                let program = path(of: "xdg-open")
            else { return nil }
            return Command(program: program, arguments: [url])
        }

        private func path(of name: String) -> String? {
            if name.hasPrefix("/") { return fileExists(name) ? name : nil }
            guard !name.contains("/") else { return nil }
            let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            // A relative folder would let the working directory choose the program.
            return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: fileExists)
        }
    }
#endif

#if os(macOS)
    extension SystemBrowser {
        func command(for url: String) -> Command? {
            Command(program: "/usr/bin/open", arguments: [url])
        }
    }
#endif

#if os(Windows)
    extension SystemBrowser {
        /// Not `cmd /c start`: that is a shell, and reads `&` in a URL as its own.
        func command(for url: String) -> Command? {
            let root = environment["SystemRoot"] ?? #"C:\Windows"#
            return Command(program: root + #"\System32\rundll32.exe"#, arguments: ["url.dll,FileProtocolHandler", url])
        }
    }
#endif

#if !os(Linux) && !os(FreeBSD) && !os(OpenBSD) && !os(macOS) && !os(Windows)
    extension SystemBrowser {
        /// Programs start no others here. On Android the app opens a Custom Tab itself, with a presenter of its own.
        func command(for url: String) -> Command? { nil }

        static func run(_ command: Command, timeLimit: Duration) async throws { throw BrowserError.absent }
    }
#endif
