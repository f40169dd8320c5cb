import AccountClient
import Foundation
import OpenAuthenticationServices
import Testing

@testable import JuiceScreens
@testable import juice

struct ScreenTranscriptTests {
    /// A screen that the transcripts show.
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let model: JuiceModel

        var testDescription: String { name }
    }

    private static let page = URL(string: "http://localhost:4000/authorizations/aut_0123456789abcdefghijkl")

    static var samples: [Sample] {
        get throws {
            let page = try #require(page)
            let waiting: [Event] = [.launched, .accountFound(nil), .key(.enter)]
            func after(_ events: [Event]) -> JuiceModel {
                var model = JuiceModel()
                for event in events { _ = model.handle(event) }
                return model
            }
            let email = "johnny@example.com"
            func typing(_ command: Character, _ text: String) -> [Event] {
                [.key(.character(command))] + text.map { .key($0 == "\n" ? .enter : .character($0)) }
            }
            var problem = LoginNotice.problem("The account service at http://localhost:4000 does not answer.")
            problem.canLookAgain = true
            var hidden = Profile.johnny
            hidden.email = "abc123def4@privaterelay.appleid.com"
            hidden.isPrivateEmail = true
            var unconfirmed = Profile.johnny
            unconfirmed.isConfirmed = false
            return [
                Sample(name: "result-unconfirmed", model: after([.launched, .accountFound(unconfirmed)])),
                Sample(
                    name: "login-remark",
                    model: after([
                        .launched, .remarked("There is no keyring: the session is kept in a file."), .accountFound(nil),
                    ])),
                Sample(name: "looking", model: after([.launched])),
                Sample(name: "login", model: .atLogin),
                Sample(name: "login-focus-quit", model: after([.launched, .accountFound(nil), .key(.tab)])),
                Sample(name: "login-typing", model: after([.launched, .accountFound(nil)] + typing("l", email))),
                Sample(
                    name: "login-password",
                    model: after([.launched, .accountFound(nil)] + typing("l", email + "\n" + "a password"))),
                Sample(name: "create-account", model: after([.launched, .accountFound(nil)] + typing("n", ""))),
                Sample(name: "enter-link", model: after([.launched, .accountFound(nil)] + typing("m", ""))),
                Sample(
                    name: "mail-sent",
                    model: after(
                        [.launched, .accountFound(nil)] + typing("f", email + "\n") + [.signInEnded(.mailSent)])),
                Sample(name: "offering-saved", model: after([.launched, .passwordFound(email: email)])),
                Sample(
                    name: "offering-to-save",
                    model: after([
                        .launched, .accountFound(nil), .signedInByPassword(.byPassword, email: email),
                    ])),
                Sample(name: "result-password", model: after([.launched, .accountFound(.byPassword)])),
                Sample(
                    name: "profile-password",
                    model: after([.launched, .accountFound(.byPassword), .key(.character("p"))])),
                Sample(name: "upgrade", model: after([.launched, .accountFound(.byPassword)] + typing("u", "secret"))),
                Sample(
                    name: "confirming-upgrade",
                    model: after([.launched, .accountFound(.byPassword)] + typing("u", "secret\n"))),
                Sample(
                    name: "upgrading",
                    model: after(
                        [.launched, .accountFound(.byPassword)] + typing("u", "secret\n")
                            + [.key(.character("n")), .instructed(.browser(page, isOpen: true))])),
                Sample(name: "login-problem", model: after([.launched, .lookFailed(problem)])),
                Sample(name: "login-cancelled", model: after(waiting + [.signInEnded(.cancelled)])),
                Sample(name: "waiting", model: .waiting),
                Sample(name: "waiting-browser", model: after(waiting + [.instructed(.browser(page, isOpen: true))])),
                Sample(
                    name: "waiting-no-browser", model: after(waiting + [.instructed(.browser(page, isOpen: false))])),
                Sample(
                    name: "waiting-device",
                    model: after(
                        waiting + [
                            .instructed(
                                .device(code: "BCDF-GHJK", page: page, expiresAt: Date(timeIntervalSince1970: 600)))
                        ])),
                Sample(name: "cancelling", model: after(waiting + [.key(.escape)])),
                Sample(name: "result", model: .atResult),
                Sample(name: "result-hidden-address", model: after([.launched, .accountFound(hidden)])),
                Sample(
                    name: "result-without-name",
                    model: after([.launched, .accountFound(Profile(userIdentifier: "001999.0a1b.0001"))])),
                Sample(
                    name: "result-apple-account",
                    model: after([.launched, .accountFound(.johnny), .appleStateTold(.authorized)])),
                Sample(
                    name: "sessions",
                    model: after([
                        .launched, .accountFound(.johnny), .key(.character("l")), .sessionsListed(.three),
                    ])),
                Sample(
                    name: "confirming-deletion",
                    model: after([.launched, .accountFound(.johnny), .key(.character("d"))])),
                Sample(
                    name: "deleting-browser",
                    model: after([
                        .launched, .accountFound(.johnny), .key(.character("d")), .key(.character("y")),
                        .instructed(.browser(page, isOpen: true)),
                    ])),
                Sample(name: "deleted", model: after([.launched, .lookFailed(.deleted(removal: nil))])),
                Sample(
                    name: "deleting-password",
                    model: after(
                        [.launched, .accountFound(.byPassword)] + typing("d", "y") + [.passwordNeeded])),
                Sample(name: "deleted-without-apple", model: after([.launched, .lookFailed(.deletedWithoutApple)])),
                Sample(
                    name: "login-wait",
                    model: after([
                        .launched, .accountFound(nil),
                        .signInEnded(
                            LoginNotice(
                                AccountClientError(
                                    .backendUnavailable, "there were too many tries of signing in (rate_limited)",
                                    hint: "Try again in 8 seconds."))),
                    ])),
                Sample(name: "signing-out", model: after([.launched, .accountFound(.johnny), .key(.character("o"))])),
            ] + profileSamples + (try linkingSamples)
        }
    }

    private static var profileSamples: [Sample] {
        func after(_ events: [Event], of profile: Profile = .reachable) -> JuiceModel {
            var model = JuiceModel(after: .launched, .accountFound(profile), .key(.character("p")))
            for event in events { _ = model.handle(event) }
            return model
        }
        let asking: [Event] = [.key(.character("t")), .key(.eraseLine), .key(.character("+")), .key(.enter)]
        return [
            Sample(name: "profile", model: after([])),
            Sample(name: "profile-empty", model: after([], of: Profile(userIdentifier: "001999.0a1b.0001"))),
            Sample(name: "profile-pending", model: after([], of: .pending)),
            Sample(
                name: "profile-problem",
                model: after(asking + [.profileFailed(.problem("The account service refused it."))])),
            Sample(name: "editing-address", model: after([.key(.character("a"))])),
            Sample(name: "editing-nothing", model: after([.key(.character("n")), .key(.eraseLine)])),
            Sample(name: "asking-profile", model: after(asking)),
            Sample(name: "consent", model: after(asking + [.consentAsked(.short)])),
            Sample(name: "consent-part", model: after(asking + [.consentAsked(.long)])),
            Sample(
                name: "consent-end", model: after(asking + [.consentAsked(.long), .key(.character("m"))])),
            Sample(name: "consents", model: after([.key(.character("c")), .consentsListed(.three)])),
            Sample(name: "consents-none", model: after([.key(.character("c")), .consentsListed([])])),
            Sample(
                name: "confirming-withdrawal",
                model: after([.key(.character("c")), .consentsListed(.three), .key(.character("2"))])),
        ]
    }

    private static var linkingSamples: [Sample] {
        get throws {
            let page = try #require(page)
            func after(_ ways: [WayIn], _ events: Event...) -> JuiceModel {
                var model = JuiceModel(after: .launched, .accountFound(.johnny), .key(.character("w")))
                for event in [.waysInListed(ways)] + events { _ = model.handle(event) }
                return model
            }
            return [
                Sample(name: "ways-in", model: after([.apple, .hidden, .email])),
                Sample(name: "ways-in-one", model: after([.apple])),
                Sample(name: "adding-address", model: after([.apple], .key(.character("e")))),
                Sample(
                    name: "address-mail-sent",
                    model: after(
                        [.apple], .key(.character("a")), .waysInChanged([.apple], .linkSent))),
                Sample(
                    name: "adding-apple",
                    model: after(
                        [.apple], .key(.character("a")), .instructed(.browser(page, isOpen: true)))),
                Sample(
                    name: "conflict", model: after([.apple], .key(.character("a")), .conflictFound(.sample))),
                Sample(
                    name: "confirming-merge",
                    model: after(
                        [.apple], .key(.character("a")), .conflictFound(.sample), .key(.character("m")),
                        .mergePlanned(.sample))),
                Sample(name: "confirming-removal", model: after([.apple, .email], .key(.character("1")))),
                Sample(name: "confirming-address-removal", model: after([.apple, .email], .key(.character("2")))),
            ]
        }
    }

    private func blocks(_ model: JuiceModel) -> [ScreenBlock] {
        model.blocks { _ in "14:32" }
    }

    @Test("Screens look like their transcripts", arguments: try samples)
    func pages(sample: Sample) throws {
        var text = ""
        for (width, symbols) in [(80, Symbols.unicode), (40, .unicode), (24, .ascii)] {
            let layout = PageLayout(symbols: symbols, width: width, height: 24)
            let lines = layout.lines(blocks(sample.model), focus: sample.model.focus)
            #expect(lines.allSatisfy { CellWidth.of($0.text) <= width })
            text += "--- \(width) columns\n" + LineRenderer(isASCII: symbols == .ascii).list(lines)
        }
        text +=
            "--- lines\n" + LineRenderer(isASCII: true).list(ListLayout(symbols: .ascii).lines(blocks(sample.model)))
        try Transcript.expect(sample.name, text.replacing(#/ +\n/#, with: "\n"))
    }

    @Test("No line is wider than the terminal and no page higher", arguments: try samples)
    func bounds(sample: Sample) {
        for width in [8, 12, 20, 33, 57, 200] {
            for height in [1, 3, 10, 50] {
                let layout = PageLayout(symbols: .unicode, width: width, height: height)
                let lines = layout.lines(blocks(sample.model), focus: sample.model.focus)
                #expect(lines.count <= height)
                #expect(width < 30 || lines.allSatisfy { CellWidth.of($0.text) <= width })
            }
        }
    }

    @Test("If the terminal is too low, the buttons are the last to go")
    func lowTerminal() {
        let layout = PageLayout(symbols: .unicode, width: 80, height: 2)
        let lines = layout.lines(blocks(.atResult), focus: nil)
        #expect(lines.first?.text.contains("[O] Sign Out") == true)
        #expect(lines.last?.text.contains("[Q] Quit") == true)
    }

    @Test("A button with wide characters gets a line of its own if there is no room beside another")
    func wideButton() throws {
        let provider = try #require(OfferedProvider(text: "wide=" + String(repeating: "龍", count: 24)))
        let layout = PageLayout(symbols: .unicode, width: 80, height: 24)
        let lines = layout.lines([.buttons([.quit, .signInAt(0, provider)])], focus: nil)
        #expect(lines.allSatisfy { CellWidth.of($0.text) <= 80 })
        #expect(lines.contains { $0.text.hasSuffix("[Q] Quit") })
    }

    @Test("A name that would command the terminal is drawn, not obeyed")
    func hostileName() {
        var profile = Profile.johnny
        profile.givenName = "\u{1B}[2JJohnny\u{7}"
        profile.email = "a\u{9B}31m\r@example.com"
        let model = JuiceModel(after: .launched, .accountFound(profile))
        let layout = PageLayout(symbols: .unicode, width: 80, height: 24)
        let page = LineRenderer(isASCII: false).page(layout.lines(blocks(model), focus: nil))
        #expect(!page.contains("\u{1B}[2J"))
        #expect(!page.contains("\u{7}"))
        #expect(!page.contains("\u{9B}"))
        #expect(!page.contains("\r"))
        #expect(page.contains("\u{FFFD}[2JJohnny\u{FFFD}"))
    }

    @Test("Lists have no escape sequences, and a page without colours has only those for places")
    func plain() {
        let model = JuiceModel.atLogin
        let layout = PageLayout(symbols: .unicode, width: 80, height: 24)
        let lines = layout.lines(blocks(model), focus: model.focus)
        #expect(!LineRenderer(isASCII: false, button: .white).list(lines).contains("\u{1B}"))
        #expect(LineRenderer(isASCII: false, button: .white).page(lines).contains("m"))
        let page = LineRenderer(isASCII: false).page(lines)
        #expect(page.replacing(#/\x1B\[(\d+;1H|K|J)/#, with: "").contains("\u{1B}") == false)
    }

    @Test(
        "Apple's button is white or black",
        arguments: [
            (OpenAuthenticationServices.ASAuthorizationAppleIDButton.Style.white, "\u{1B}[30;107;1m"),
            (.black, "\u{1B}[97;40;1m"),
        ])
    func button(style: OpenAuthenticationServices.ASAuthorizationAppleIDButton.Style, code: String) {
        let model = JuiceModel.atLogin
        let layout = PageLayout(symbols: .unicode, width: 80, height: 24)
        let page = LineRenderer(isASCII: false, button: style).page(layout.lines(blocks(model), focus: model.focus))
        #expect(page.contains(code + "         Sign in with Apple         "))
    }
}
