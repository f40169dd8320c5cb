import Foundation

/// The browser of the person at this machine, as the desktop knows it.
struct SystemBrowser: Sendable {
    var environment: [String: String]
    var fileExists: @Sendable (String) -> Bool
    /// How long the program that opens pages may take to fail. One that still runs is the browser itself.
    var timeLimit: Duration = .seconds(4)
    /// Files that are there in containers only.
    var containerSigns = ["/.dockerenv", "/run/.containerenv"]

    init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        fileExists: @escaping @Sendable (String) -> Bool = { FileManager.default.isExecutableFile(atPath: $0) }
    ) {
        self.environment = environment
        self.fileExists = fileExists
    }

    /// Whether there is one, and the person in front of it is the one who runs this program.
    var isAtHand: Bool { !isElsewhere && command(for: "https://example.com") != nil }

    /// Over SSH or in a container the browser, if there is one, belongs to somebody else's screen. A container that
    /// names its browser in `BROWSER` means the screen outside.
    private var isElsewhere: Bool {
        let isRemote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { !(environment[$0] ?? "").isEmpty }
        // A Flatpak is a container whose way to the desktop is open.
        let container = environment["container"] ?? ""
        let isContained =
            (environment["BROWSER"] ?? "").isEmpty
            && (!container.isEmpty && container != "flatpak"
                || containerSigns.contains { FileManager.default.fileExists(atPath: $0) })
        return isRemote || isContained
    }

    /// - Throws: ``BrowserError``, or what starting the program throws.
    func open(_ url: URL) async throws {
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host() != nil else {
            throw BrowserError.notAWebPage
        }
        guard let command = command(for: url.absoluteString) else { throw BrowserError.absent }
        try await Self.run(command, timeLimit: timeLimit)
    }

    /// A program and its arguments. No shell reads them.
    struct Command: Hashable, Sendable {
        var program: String
        var arguments: [String]
    }
}
