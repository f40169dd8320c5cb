import Testing

@testable import JuiceScreens
@testable import juice

struct ConsentScreenTests {
    private var asking: JuiceModel {
        var model = JuiceModel.atProfile
        _ = model.handle(.key(.character("t")))
        _ = model.handle(.key(.backspace))
        _ = model.handle(.key(.enter))
        return model
    }

    private var atConsents: JuiceModel {
        var model = JuiceModel.atProfile
        _ = model.handle(.key(.character("c")))
        _ = model.handle(.consentsListed(.three))
        return model
    }

    @Test(
        "The person reads the text, and says yes or no",
        arguments: [(Key.character("y"), true), (.character("n"), false), (.escape, false)])
    func answers(key: Key, agrees: Bool) {
        var model = asking
        #expect(model.handle(.consentAsked(.short)) == [])
        #expect(model.screen == .consent(.short))
        #expect(model.handle(.key(.enter)) == [])
        #expect(model.handle(.key(key)) == [.answerQuestion(agrees)])
        #expect(model.screen == .askingProfile)
        _ = model.handle(.profileFailed(.notChanged))
        #expect(model.screen == .profile(.reachable))
    }

    @Test("A person can agree only after they have read all parts")
    func parts() {
        var model = asking
        _ = model.handle(.consentAsked(.long))
        #expect(model.screen.buttons == [.more, .disagree, .quit])
        #expect(model.handle(.key(.character("y"))) == [])
        for _ in 1..<ConsentReading.long.parts.count { #expect(model.handle(.key(.character("m"))) == []) }
        #expect(model.screen.buttons == [.agree, .disagree, .quit])
        #expect(model.handle(.key(.character("y"))) == [.answerQuestion(true)])
    }

    @Test("A newer text is asked about once more")
    func again() {
        var model = asking
        _ = model.handle(.consentAsked(.short))
        _ = model.handle(.key(.character("y")))
        _ = model.handle(.consentAsked(.long))
        #expect(model.screen == .consent(.long))
    }

    @Test("A question that comes after the session has ended isn't shown, and is answered with no")
    func late() {
        var model = asking
        _ = model.handle(.sessionEnded(.sessionEnded))
        #expect(model.handle(.consentAsked(.short)) == [.answerQuestion(false)])
        #expect(model.screen == .login(.sessionEnded))
    }

    @Test("C lists the consents, and a number withdraws one after a question")
    func withdraws() {
        var model = JuiceModel.atProfile
        #expect(model.handle(.key(.character("c"))) == [.listConsents])
        _ = model.handle(.consentsListed(.three))
        #expect(model.screen.buttons == [.withdraw(1), .withdraw(2), .back, .quit])
        #expect(model.handle(.key(.character("3"))) == [])
        #expect(model.handle(.key(.character("2"))) == [])
        #expect(model.handle(.key(.character("y"))) == [.withdrawConsent(id: "con_2")])
        _ = model.handle(.accountChanged(.johnny))
        #expect(model.handle(.consentsListed([])) == [])
        #expect(model.handle(.key(.escape)) == [])
        #expect(model.screen == .profile(.johnny))
    }

    @Test("A withdrawal says that a way in was removed, and shows the login if that way in opened the session")
    func parted() {
        var model = atConsents
        _ = model.handle(.key(.character("2")))
        _ = model.handle(.key(.character("y")))
        _ = model.handle(.profileFailed(.unlinked(removal: "Remove it.")))
        #expect(model.screen == .profile(.reachable))
        #expect(model.remark == "The way in is removed. Remove it.")
        _ = model.handle(.key(.character("c")))
        _ = model.handle(.consentsListed(.three))
        _ = model.handle(.key(.character("1")))
        _ = model.handle(.key(.character("y")))
        _ = model.handle(.signedOut(.signedOutByUnlinking(removal: nil)))
        #expect(model.screen == .login(.signedOutByUnlinking(removal: nil)))
    }

    @Test("The question before a withdrawal says when the way in stays")
    func wayInStays() throws {
        var row = try #require([ConsentRow].three.first)
        #expect(!String(describing: row.withdrawalBlocks).contains("It stays"))
        row.isToWayIn = true
        #expect(String(describing: row.withdrawalBlocks).contains("It stays if you could not sign in without it."))
    }

    @Test("B goes back by one screen")
    func back() {
        var model = atConsents
        _ = model.handle(.key(.character("1")))
        _ = model.handle(.key(.character("b")))
        #expect(model.screen == .consents(.three))
        _ = model.handle(.key(.character("b")))
        #expect(model.screen == .profile(.reachable))
    }

    @Test("A text is cut into parts between paragraphs and words, and nothing of it is lost")
    func reading() {
        let long = String(repeating: "word ", count: 400) + String(repeating: "x", count: 1_500)
        let text = "First line\nof the first.\r\n\r\n\n  \(long)\n\nLast."
        let parts = ConsentReading(purposes: [], text: text).parts
        #expect(parts.first?.first == "First line of the first.")
        #expect(parts.allSatisfy { $0.joined().count <= 700 })
        #expect(parts.last?.last == "Last.")
        let all = parts.joined().joined().filter { $0 != " " }
        #expect(all == text.filter { !$0.isWhitespace })
        #expect(ConsentReading(purposes: [], text: "").parts == [[]])
    }

    @Test("A text that would command the terminal is drawn whole, and not obeyed")
    func hostile() {
        var model = asking
        _ = model.handle(
            .consentAsked(
                ConsentReading(purposes: ["phone number"], text: "\u{1B}[2J" + String(repeating: "a", count: 600))))
        let layout = PageLayout(symbols: .unicode, width: 80, height: 40)
        let page = LineRenderer(isASCII: true).list(layout.lines(model.blocks { _ in "14:32" }, focus: nil))
        #expect(!page.contains("\u{1B}"))
        #expect(page.filter { $0 == "a" }.count > 600)
        let list = LineRenderer(isASCII: true).list(ListLayout(symbols: .ascii).lines(model.blocks { _ in "14:32" }))
        #expect(!list.contains("\u{1B}"))
        #expect(list.filter { $0 == "a" }.count > 600)
    }
}
