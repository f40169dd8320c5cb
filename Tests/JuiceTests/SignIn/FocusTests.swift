import Testing

@testable import JuiceScreens
@testable import juice

struct FocusTests {
    @Test("The Apple button has the focus first")
    func first() {
        #expect(JuiceModel.atLogin.focus == .signIn)
    }

    @Test(
        "Tab and arrows go round in both directions",
        arguments: [
            ([Key.tab], Command.quit), ([.down], .quit), ([.right], .quit), ([.backTab], .openLink), ([.up], .openLink),
            ([.left], .openLink), ([.tab, .tab], .logIn), ([.tab, .backTab], .signIn),
        ])
    func moves(keys: [Key], focus: Command) {
        var model = JuiceModel.atLogin
        for key in keys { #expect(model.handle(.key(key)) == []) }
        #expect(model.focus == focus)
    }

    @Test(
        "Where nothing has the focus, Tab begins at the first button and Shift-Tab at the last",
        arguments: [
            (Key.tab, Command.signOut), (.backTab, .quit),
        ])
    func begins(key: Key, focus: Command) {
        var model = JuiceModel.atResult
        #expect(model.focus == nil)
        _ = model.handle(.key(key))
        #expect(model.focus == focus)
    }

    @Test("Return presses the button with the focus")
    func press() {
        var model = JuiceModel.atLogin
        _ = model.handle(.key(.tab))
        #expect(model.handle(.key(.enter)) == [.exit(status: 0)])
    }

    @Test("A new screen begins with its own focus")
    func newScreen() {
        var model = JuiceModel.atResult
        _ = model.handle(.key(.tab))
        _ = model.handle(.key(.enter))
        #expect(model.focus == nil)
        _ = model.handle(.signedOut(nil))
        #expect(model.focus == .signIn)
    }
}
