import Foundation
import Testing

@testable import JuiceScreens
@testable import juice

struct DeletionScreenTests {
    private var deleting: JuiceModel {
        JuiceModel(after: .launched, .accountFound(.johnny), .key(.character("d")), .key(.character("y")))
    }

    @Test("D asks once more, and Return deletes nothing before a button is chosen")
    func confirms() {
        var model = JuiceModel.atResult
        #expect(model.handle(.key(.character("d"))) == [])
        #expect(model.screen == .confirmingDeletion)
        #expect(model.handle(.key(.enter)) == [])
        #expect(model.handle(.key(.character("y"))) == [.deleteAccount(password: nil)])
        #expect(model.screen == .deleting(.wait, isCancelling: false))
    }

    @Test("B and Esc keep the account", arguments: [Key.character("b"), .escape])
    func keeps(key: Key) {
        var model = JuiceModel(after: .launched, .accountFound(.johnny), .key(.character("d")))
        #expect(model.handle(.key(key)) == [])
        #expect(model.screen == .result(.johnny))
    }

    @Test("The person may be asked to sign in once more, and is told how")
    func asks() {
        var model = deleting
        let code = Instruction.device(code: "BCDF-GHJK", page: .init(filePath: "/"), expiresAt: .distantFuture)
        _ = model.handle(.instructed(code))
        #expect(model.screen == .deleting(code, isCancelling: false))
    }

    @Test("The login says that it is done, and later that Apple was told")
    func done() {
        var model = deleting
        #expect(model.handle(.accountDeleted(.deleted(removal: nil))) == [])
        #expect(model.screen == .login(.deleted(removal: nil)))
        _ = model.handle(.remarked("Apple has ended the authorization."))
        #expect(model.remark != nil)
        // Nobody needs to hear of the session's end besides.
        #expect(model.handle(.sessionEnded(.sessionEnded)) == [])
        #expect(model.screen == .login(.deleted(removal: nil)))
    }

    @Test("The login says what the person has to remove by hand")
    func byHand() {
        #expect(LoginNotice.deleted(removal: "Open Settings.").text.hasSuffix("Open Settings."))
    }

    @Test("Nothing is said of Apple when the account never was Apple's")
    func withoutApple() {
        var model = JuiceModel(
            after: .launched, .accountFound(.byPassword), .key(.character("d")), .key(.character("y")))
        #expect(model.handle(.accountDeleted(.deletedWithoutApple)) == [])
        #expect(model.screen == .login(.deletedWithoutApple))
        #expect(!LoginNotice.deletedWithoutApple.text.contains("Apple"))
    }

    @Test("Giving up waits for the outcome: the account is kept, or it is deleted", arguments: [true, false])
    func givesUp(tooLate: Bool) {
        var model = deleting
        #expect(model.handle(.key(.escape)) == [.cancelDeletion])
        #expect(model.handle(.key(.escape)) == [])
        if tooLate {
            _ = model.handle(.accountDeleted(.deleted(removal: nil)))
            #expect(model.screen == .login(.deleted(removal: nil)))
        } else {
            _ = model.handle(.deletionEnded(.notDeleted))
            #expect(model.screen == .result(.johnny))
            #expect(model.remark == LoginNotice.notDeleted.text)
        }
    }

    @Test("Quitting during it gives it up first")
    func quits() {
        var model = deleting
        #expect(model.handle(.key(.interrupt)) == [.cancelDeletion])
        #expect(model.handle(.deletionEnded(.notDeleted)) == [.exit(status: 130)])
    }

    @Test("A script deletes when it says so twice")
    func script() {
        var model = JuiceModel(
            after: .launched, .key(.character("d")), .key(.character("y")), .inputEnded)
        #expect(model.handle(.accountFound(.johnny)) == [.deleteAccount(password: nil)])
        #expect(model.handle(.accountDeleted(.deleted(removal: nil))) == [.exit(status: 0)])
    }
}
