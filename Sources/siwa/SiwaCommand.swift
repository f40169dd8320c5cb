import AppleID
import ArgumentParser
import CommandIO
import PackageVersion

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@main
enum Program {
    static func main() async {
        guard #available(siwaServer 1.0, *) else {
            print("siwa needs macOS 15 or newer.")
            exit(EXIT_FAILURE)
        }
        await SiwaCommand.main()
    }
}

/// `siwa`: the program with all of the service's commands.
@available(siwaServer 1.0, *)
struct SiwaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siwa",
        abstract: "Sign in with Apple, both ends.",
        discussion: """
            Exit status: 0 when all went well, 1 when something failed, 2 when the command or a setting was not \
            understood.

            \(Help.examples("siwa demo", "siwa help accounts list"))
            """,
        version: SiwaVersion.current,
        subcommands: [
            DemoCommand.self, ServeCommand.self, DoctorCommand.self, EmulateCommand.self, TokenCommand.self,
            SecretCommand.self, KeysCommand.self, AccountsCommand.self, NotificationsCommand.self,
            DailyCheckCommand.self, OutboxCommand.self, MailCommand.self, TransferCommand.self, ImportCommand.self,
            CompletionCommand.self,
        ])

    static func main() async {
        // If TZ is not set, the C library looks at /etc/localtime anew at every line of the log.
        unsafe setenv("TZ", ":/etc/localtime", 0)
        do {
            var command = try parseAsRoot()
            ExposedSecret.warn(of: command)
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

/// The text that the help of every command shares.
enum Help {
    /// The last paragraph of a help. A test holds each example to the commands that there are.
    static func examples(_ commands: String...) -> String {
        ([commands.count == 1 ? "Example:" : "Examples:"]
            + commands.flatMap { $0.split(separator: "\n").map { "  \($0)" } })
            .joined(separator: "\n")
    }
}
