import AccountClient
import ArgumentParser
import CommandIO
import JuiceScreens
import PackageVersion

import struct OpenAuthenticationServices.AuthenticationServicesConfiguration

/// The sample app of Apple's documentation, for the terminal.
@main
struct Juice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "juice",
        abstract: "Sign in with Apple, in a terminal.",
        discussion: """
            At launch Juice looks for an account; if there is none, it offers to sign in with Apple, in the browser of this \
            machine, or over SSH in any browser, by a code. It shows who has signed in, until they sign out.

            Where standard input or output is no terminal, or TERM is dumb, each screen is some lines, and each command a \
            line with its letter.

            Exit status: 0 when all went well, 1 when something failed, 2 when the command was not understood, \
            130 after Ctrl-C.
            """,
        version: SiwaVersion.current,
        subcommands: [JuiceCompletionCommand.self])

    @Option(help: "The account service, a URL. Default: SIWA_BACKEND.")
    var backend: String?

    @Option(help: "The name by which the account service knows this app.")
    var app = "juice"

    @Option(help: "Where the session is kept: memory, file, or system, which is the keyring where there is one.")
    var store = Store.system

    @Option(
        help: """
            A provider other than Apple that the account service knows: ID or ID=NAME, such as google=Google. May be \
            given three times.
            """)
    var provider: [ProviderOption] = []

    @Flag
    var browserMode: BrowserMode?

    func validate() throws {
        guard provider.count <= JuiceModel.maximumProviders else {
            throw ValidationError("Juice has keys for \(JuiceModel.maximumProviders) providers.")
        }
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = TerminalSettings(environment: environment, isInteractive: TerminalDevice.isInteractive)
        let (events, send) = AsyncStream<Event>.makeStream()
        var app = JuiceApp(
            surface: settings.hasPages ? PageSurface(settings: settings) : ListSurface(settings: settings),
            work: AccountWork(
                client: try client(settings: settings, events: send), events: send,
                providers: provider.map(\.provider)), events: events, providers: provider.map(\.provider))
        let status = try await app.run()
        if status != 0 { throw ExitCode(status) }
    }

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            exit(after: error)
        }
    }
}

extension Juice {
    private func backendURL() throws -> URL {
        guard let text = backend ?? ProcessInfo.processInfo.environment["SIWA_BACKEND"] else {
            throw ValidationError("Say where the account service is: --backend URL, or SIWA_BACKEND. Try `siwa demo`.")
        }
        guard let url = URL(string: text), url.scheme != nil, url.host() != nil else {
            throw ValidationError("The account service's address must be a URL, such as http://localhost:4000.")
        }
        return url
    }

    private func client(
        settings: TerminalSettings, events: AsyncStream<Event>.Continuation
    ) throws -> AccountClient {
        // On a page of a terminal, nothing else may write to it.
        let storage =
            settings.hasPages
            ? store.storage { events.yield(.remarked($0.asSentence)) } : store.storage { complain("note: \($0)") }
        return AccountClient(backend: try backendURL(), app: app, storage: storage) { configuration in
            if let flow = browserMode?.flow ?? BrowserMode.defaultFlow { configuration.flow = flow }
            configuration.browser.open = { [browserMode, open = configuration.browser.open] page in
                // The page is shown too: a browser may open where nobody sees it.
                events.yield(.instructed(.browser(page, isOpen: browserMode != .noBrowser)))
                guard browserMode != .noBrowser else { return }
                do {
                    try await open(page)
                } catch  where browserMode == .browser {
                    // A person who asked for the browser can still open the page; else a code takes its place.
                    events.yield(.instructed(.browser(page, isOpen: false)))
                }
            }
            configuration.showDeviceCode = { code in
                events.yield(
                    .instructed(
                        .device(code: code.userCode, page: code.verificationURL, expiresAt: code.expiresAt)))
            }
        }
    }
}
