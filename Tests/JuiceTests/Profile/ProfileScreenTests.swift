import Testing

@testable import JuiceScreens
@testable import juice

struct ProfileScreenTests {
    private var asking: JuiceModel {
        var model = JuiceModel.atProfile
        _ = model.handle(.key(.character("t")))
        _ = model.handle(.key(.eraseLine))
        _ = model.type("+4930999")
        return model
    }

    @Test("P shows what the person can change, and B goes back", arguments: [Key.character("b"), .escape])
    func shows(back: Key) {
        var model = JuiceModel.atProfile
        #expect(model.screen == .profile(.reachable))
        #expect(model.screen.buttons == [.editName, .editContactEmail, .editPhone, .consents, .back, .quit])
        #expect(model.handle(.key(back)) == [])
        #expect(model.screen == .result(.reachable))
    }

    @Test("A field begins with its present value, and Return sends the change")
    func types() {
        var model = JuiceModel.atProfile
        #expect(model.handle(.key(.character("t"))) == [])
        #expect(model.screen == .editing(ProfileEntry(field: .phone, text: "+493012345678")))
        #expect(model.handle(.key(.backspace)) == [])
        #expect(model.type("9q") == [.updateProfile(.phone("+49301234567" + "9q"))])
        #expect(model.screen == .askingProfile)
    }

    @Test("Letters are text in a field, and Esc changes nothing")
    func escapes() {
        var model = JuiceModel.atProfile
        _ = model.handle(.key(.character("a")))
        for key in [Key.character("q"), .tab, .up, .character("b")] { #expect(model.handle(.key(key)) == []) }
        #expect(model.screen == .editing(ProfileEntry(field: .contactEmail, text: "johnny@home.exampleqb")))
        #expect(model.handle(.key(.escape)) == [])
        #expect(model.screen == .profile(.reachable))
    }

    @Test("The names come one after the other, and go together")
    func names() {
        var model = JuiceModel.atProfile
        _ = model.handle(.key(.character("n")))
        _ = model.handle(.key(.eraseLine))
        #expect(model.type("Jonathan") == [])
        #expect(
            model.screen == .editing(ProfileEntry(field: .familyName(givenName: "Jonathan"), text: "Appleseed")))
        #expect(model.handle(.key(.enter)) == [.updateProfile(.name(givenName: "Jonathan", familyName: "Appleseed"))])
    }

    @Test("An unchanged value isn't sent", arguments: ["n", "a", "t"] as [Character])
    func unchanged(letter: Character) {
        var model = JuiceModel.atProfile
        _ = model.handle(.key(.character(letter)))
        #expect(model.handle(.key(.enter)) == [])
        if letter == "n" { #expect(model.handle(.key(.enter)) == []) }
        #expect(model.screen == .profile(.reachable))
    }

    @Test("An empty text removes the value")
    func removes() {
        var model = JuiceModel.atProfile
        _ = model.handle(.key(.character("a")))
        _ = model.handle(.key(.eraseLine))
        #expect(model.handle(.key(.enter)) == [.updateProfile(.contactEmail(""))])
    }

    @Test("An address that waits for its link is the one that is edited")
    func pending() {
        var model = JuiceModel(after: .launched, .accountFound(.pending), .key(.character("p")))
        _ = model.handle(.key(.character("a")))
        #expect(model.screen == .editing(ProfileEntry(field: .contactEmail, text: "johnny@new.example")))
    }

    @Test("No text is longer than an address can be")
    func longest() {
        var model = JuiceModel.atProfile
        _ = model.handle(.key(.character("t")))
        for _ in 0..<300 { _ = model.handle(.key(.character("1"))) }
        guard case .editing(let entry) = model.screen else {
            Issue.record("\(model.screen)")
            return
        }
        #expect(entry.text.count == 254)
    }

    @Test("The changed profile is shown, with what is known of the Apple Account")
    func updated() {
        var model = asking
        _ = model.handle(.appleStateTold(.authorized))
        #expect(model.handle(.profileUpdated(.pending)) == [])
        var expected = Profile.pending
        expected.appleState = .authorized
        #expect(model.screen == .profile(expected))
        #expect(model.remark == nil)
        _ = model.handle(.key(.escape))
        #expect(model.screen == .result(expected))
    }

    @Test("A change that failed says why, and shows what there is")
    func failed() {
        var model = asking
        #expect(model.handle(.profileFailed(.problem("No."))) == [])
        #expect(model.screen == .profile(.reachable))
        #expect(model.remark == "No.")
    }

    @Test("A change elsewhere is shown at once")
    func changedElsewhere() {
        var model = JuiceModel.atProfile
        #expect(model.handle(.accountChanged(.johnny)) == [])
        #expect(model.screen == .profile(.johnny))
    }

    @Test("When the session ends meanwhile, the login says so, and a late answer to the change is ignored")
    func ended() {
        var model = asking
        #expect(model.handle(.sessionEnded(.sessionEnded)) == [])
        #expect(model.handle(.profileUpdated(.pending)) == [])
        #expect(model.screen == .login(.sessionEnded))
    }

    @Test("Quitting while something is typed quits", arguments: [Key.interrupt])
    func quits(key: Key) {
        var model = JuiceModel.atProfile
        _ = model.handle(.key(.character("t")))
        #expect(model.handle(.key(key)) == [.exit(status: 130)])
    }

    @Test("A script types lines: a line replaces, an empty one leaves, a hyphen removes")
    func script() {
        var model = JuiceModel(after: .launched)
        for line in ["p", "n", "Quincy", "", "a", "-"] { _ = model.handle(.line(line)) }
        let change = Effect.updateProfile(.name(givenName: "Quincy", familyName: "Appleseed"))
        #expect(model.handle(.accountFound(.reachable)) == [change])
        #expect(model.handle(.profileUpdated(.reachable)) == [.updateProfile(.contactEmail(""))])
        _ = model.handle(.inputEnded)
        #expect(model.handle(.profileUpdated(.johnny)) == [.exit(status: 0)])
    }
}
