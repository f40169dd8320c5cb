import OpenAuthenticationServices
import Testing

@testable import juice

struct TerminalSettingsTests {
    @Test(
        "Screens are drawn only for a person at a capable terminal",
        arguments: [
            ("xterm-256color", true, true), ("xterm-256color", false, false), ("dumb", true, false), ("", true, false),
            (nil, true, false),
        ] as [(String?, Bool, Bool)])
    func pages(name: String?, isInteractive: Bool, hasPages: Bool) {
        let environment = name.map { ["TERM": $0] } ?? [:]
        #expect(TerminalSettings(environment: environment, isInteractive: isInteractive).hasPages == hasPages)
    }

    @Test(
        "Without a UTF-8 locale, Juice uses ASCII alone",
        arguments: [
            (["LANG": "C.UTF-8"], false), (["LANG": "de_DE.utf8"], false), (["LANG": "C"], true), ([:], true),
            (["LC_ALL": "C", "LANG": "C.UTF-8"], true), (["LC_ALL": "", "LANG": "C.UTF-8"], false),
            (["LC_CTYPE": "en_US.ISO-8859-1", "LANG": "C.UTF-8"], true),
            (["LC_ALL": "en_US.UTF-8", "LC_CTYPE": "C"], false),
        ] as [([String: String], Bool)])
    func ascii(environment: [String: String], isASCII: Bool) {
        #expect(TerminalSettings(environment: environment, isInteractive: true).isASCII == isASCII)
    }

    @Test(
        "Apple's button contrasts with the terminal's background",
        arguments: [
            (nil, .white), ("15;0", .white), ("0;15", .black), ("0;default;7", .black), ("nonsense", .white),
        ] as [(String?, ASAuthorizationAppleIDButton.Style)])
    func button(colors: String?, style: ASAuthorizationAppleIDButton.Style) {
        let environment = colors.map { ["COLORFGBG": $0] } ?? [:]
        #expect(TerminalSettings(environment: environment, isInteractive: true).button == style)
    }

    @Test("NO_COLOR is honoured unless it is empty", arguments: [("1", true), ("", false)])
    func noColor(value: String, isPlain: Bool) {
        let settings = TerminalSettings(environment: ["NO_COLOR": value], isInteractive: true)
        #expect((settings.button == nil) == isPlain)
    }
}
