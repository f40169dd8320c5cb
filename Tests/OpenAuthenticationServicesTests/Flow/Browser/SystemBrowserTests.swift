import Foundation
import Testing

@testable import OpenAuthenticationServices

#if os(Linux)
    @Suite("The browser of a Linux desktop", .timeLimit(.minutes(2)))
    struct SystemBrowserTests {
        private func command(_ environment: [String: String], programs: Set<String>) -> SystemBrowser.Command? {
            SystemBrowser(environment: environment, fileExists: { programs.contains($0) }).command(
                for: "https://a/?b&c")
        }

        @Test("The browser is xdg-open if there is a display", arguments: ["DISPLAY", "WAYLAND_DISPLAY"])
        func desktop(variable: String) {
            #expect(
                command([variable: ":0", "PATH": "/opt/bin:/usr/bin"], programs: ["/usr/bin/xdg-open"])
                    == SystemBrowser.Command(program: "/usr/bin/xdg-open", arguments: ["https://a/?b&c"]))
        }

        @Test(
            "There is no browser without a display or the program, or in a relative folder",
            arguments: [
                ["PATH": "/usr/bin"], ["PATH": "/usr/bin", "DISPLAY": ""], ["PATH": "/opt/bin", "DISPLAY": ":0"],
                ["PATH": ".:bin", "DISPLAY": ":0"],
            ])
        func none(environment: [String: String]) {
            #expect(command(environment, programs: ["/usr/bin/xdg-open", "./xdg-open", "bin/xdg-open"]) == nil)
        }

        @Test(
            "BROWSER takes precedence, with its own arguments, and no shell reads them",
            arguments: [
                ("/opt/web", ["https://a/?b&c"]), ("web --new", ["--new", "https://a/?b&c"]),
                ("absent:web", ["https://a/?b&c"]), ("web --app=%s -x", ["--app=https://a/?b&c", "-x"]),
                ("web $(date);id", ["$(date);id", "https://a/?b&c"]),
            ])
        func variable(value: String, arguments: [String]) {
            let command = command(["BROWSER": value, "PATH": "/opt:/usr/bin"], programs: ["/opt/web"])
            #expect(command == SystemBrowser.Command(program: "/opt/web", arguments: arguments))
        }

        @Test(
            "Over SSH or in a container the browser is not at hand, but can be opened",
            arguments: [
                ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"], ["SSH_TTY": "/dev/pts/1"],
                ["SSH_CLIENT": "192.0.2.1 1 22"],
                ["container": "podman"],
            ])
        func elsewhere(signs: [String: String]) {
            let environment = ["DISPLAY": ":0", "PATH": "/usr/bin"].merging(signs) { $1 }
            var browser = SystemBrowser(environment: environment, fileExists: { $0 == "/usr/bin/xdg-open" })
            browser.containerSigns = []
            #expect(!browser.isAtHand)
            #expect(browser.command(for: "https://a") != nil)
        }

        @Test("On a desktop, or in a Flatpak, the browser is at hand", arguments: [[:], ["container": "flatpak"]])
        func atHand(signs: [String: String]) {
            let environment = ["DISPLAY": ":0", "PATH": "/usr/bin"].merging(signs) { $1 }
            var browser = SystemBrowser(environment: environment, fileExists: { $0 == "/usr/bin/xdg-open" })
            browser.containerSigns = []
            #expect(browser.isAtHand)
            browser.containerSigns = ["/"]
            #expect(!browser.isAtHand)
        }

        @Test("BROWSER makes the browser at hand in a container, and not over SSH")
        func containerWithBrowser() {
            let environment = ["BROWSER": "/opt/web", "container": "podman"]
            var browser = SystemBrowser(environment: environment, fileExists: { $0 == "/opt/web" })
            browser.containerSigns = ["/"]
            #expect(browser.isAtHand)
            browser.environment["SSH_TTY"] = "/dev/pts/1"
            #expect(!browser.isAtHand)
        }

        @Test("A started program has no signals blocked")
        func signals() async throws {
            let blocked = #"grep -q "^SigBlk:[[:space:]]*0*$" /proc/self/status"#
            try await SystemBrowser.run(
                SystemBrowser.Command(program: "/bin/sh", arguments: ["-c", blocked]), timeLimit: .seconds(60))
        }

        @Test(
            "Only web pages are opened", arguments: ["file:///etc/passwd", "mailto:a@b", "https:", "--help", "x://a"])
        func webPages(url: String) async throws {
            let browser = SystemBrowser(environment: ["BROWSER": "/bin/true"])
            let url = try #require(URL(string: url))
            await #expect(throws: BrowserError.notAWebPage) { try await browser.open(url) }
        }

        @Test("Opening a page without a browser throws an error")
        func absent() async throws {
            let url = try #require(URL(string: "https://a"))
            await #expect(throws: BrowserError.absent) { try await SystemBrowser(environment: [:]).open(url) }
        }

        @Test("A program that exits with success has opened the page, and one that fails has not")
        func status() async throws {
            let url = try #require(URL(string: "https://a"))
            try await SystemBrowser(environment: ["BROWSER": "/bin/true"]).open(url)
            var failing = SystemBrowser(environment: ["BROWSER": "/bin/false"])
            // The end of a program may be told late on a busy machine, and one that still runs counts as the browser.
            failing.timeLimit = .seconds(60)
            await #expect(throws: BrowserError.failed(status: 1)) { try await failing.open(url) }
        }

        @Test("A program that keeps running counts as the browser")
        func stillRunning() async throws {
            let pipe = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
            // Reads until nobody can write any more, which is when the test ends. Foundation may hear of the end of
            // other programs, started at the same moment, only when this one has ended too.
            let writing = unsafe open(pipe.path, O_RDWR | O_CLOEXEC)
            defer {
                unsafe unlink(pipe.path)
                close(writing)
            }
            var browser = SystemBrowser(environment: ["BROWSER": "/bin/cat \(pipe.path)"])
            browser.timeLimit = .milliseconds(100)
            try await browser.open(try #require(URL(string: "https://a")))
        }
    }
#endif
