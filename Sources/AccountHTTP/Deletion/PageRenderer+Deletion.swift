import AccountAPI
import AccountService

extension PageRenderer {
    /// Asks once more, and says what goes.
    func deletionQuestion(_ account: Account) -> String {
        struct Page {
            let frame: PageFrame
            let person: String?
        }
        return render(
            "deletion-question",
            Page(
                frame: frame(title: "Delete your account"), person: account.name?.formatted ?? account.email))
    }

    /// What became of a deletion. That an operator must act is nothing to a person.
    func deletion(_ deletion: Deletion) -> String {
        struct Page {
            let frame: PageFrame
            let heading: String
            let paragraphs: [String]
            let removal: ManualRemoval?
            let requested: CalendarDay
            let apple: String
        }
        let isBack = deletion.state == .withdrawn
        let removal = deletion.asksApple ? nil : ManualRemoval.ofApp(appName)
        let apple =
            switch deletion.state {
            case .waiting, .parked: "We haven’t told Apple yet. You don’t need to do anything."
            case .done: deletion.asksApple ? "Has ended the authorization" : "Could not be asked"
            case .withdrawn: "Not told, because you signed in again"
            }
        return render(
            "deletion",
            Page(
                frame: frame(title: "Your account is deleted"),
                heading: isBack ? "Your old account is deleted" : "Your account is deleted",
                paragraphs: isBack
                    ? ["You have signed in since then, and have a new account."]
                    : ["Your data at \(appName) is gone, and you are signed out everywhere."],
                removal: removal, requested: CalendarDay(of: deletion.requestedAt), apple: apple))
    }
}
