import AccountClient
import Testing

@testable import JuiceScreens
@testable import juice

struct NoticeTests {
    @Test("A cancelled sign-in isn't shown as a problem")
    func cancelled() {
        #expect(LoginNotice(AccountClientError(.cancelled, "The person gave up.")) == .cancelled)
        #expect(LoginNotice.cancelled.kind == .note)
    }

    @Test("A problem is told as the client tells it, with its hint")
    func problem() {
        let error = AccountClientError(.notConfigured, "the app is unknown", hint: "Look at --app.")
        #expect(LoginNotice(error) == .problem("The app is unknown. Look at --app."))
        #expect(LoginNotice(AccountClientError(.backendUnavailable, "No answer.")) == .problem("No answer."))
    }

    @Test("A notice offers another look only if that can help")
    func lookAgain() {
        let error = AccountClientError(.storage, "The keyring is locked.")
        #expect(LoginNotice(error, canLookAgain: true).canLookAgain)
        #expect(!LoginNotice(error).canLookAgain)
    }

    @Test("An error of another kind is a problem too")
    func foreign() {
        #expect(LoginNotice(CancellationError()).kind == .problem)
    }
}
