import AccountClient

/// The environment's settings for the terminal.
struct TerminalSettings: Hashable, Sendable {
    /// Whether screens are drawn over each other; else lines follow each other, without a command to the terminal.
    var hasPages: Bool
    /// Whether only ASCII can be shown.
    var isASCII: Bool
    /// nil where no colours are wanted.
    var button: ASAuthorizationAppleIDButton.Style?

    /// - Parameter isInteractive: Whether a person sits at both ends of standard input and output.
    init(environment: [String: String], isInteractive: Bool) {
        let name = environment["TERM"] ?? ""
        hasPages = isInteractive && !name.isEmpty && name != "dumb"
        // The first of these that says anything decides (POSIX.1-2024, XBD 8.2).
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().filter { $0.isLetter || $0.isNumber }
        isASCII = !encoding.contains("utf8")
        // https://no-color.org
        let wantsColors = environment["NO_COLOR", default: ""].isEmpty
        button = wantsColors ? ASAuthorizationAppleIDButton.Style(colorFGBG: environment["COLORFGBG"]) : nil
    }

    var symbols: Symbols { isASCII ? .ascii : .unicode }
    var renderer: LineRenderer { LineRenderer(isASCII: isASCII, button: button) }
}
