import AccountService
import AppleIDTypes

extension PageRenderer {
    /// Lists what a merge of two accounts moves and loses, and asks for confirmation. It says first that there is no
    /// way back.
    /// - Parameters:
    ///   - handle: The handle of the conflict, which both forms carry on.
    ///   - text: The text that people agree to, if the merge needs consent.
    ///   - problem: The reason why the person is asked once more.
    func mergeQuestion(
        _ plan: MergePlan, handle: ConflictHandle, text: ConsentTexts.Text, problem: String?
    ) -> String {
        struct Way {
            let name: String
            let address: EmailText?
        }
        struct ConsentPart {
            let version: String
            let language: String
            let paragraphs: [String]
        }
        struct Page {
            let frame: PageFrame
            let problem: String?
            let ways: [Way]
            let moved: [String]
            let lostWays: [Way]
            let lost: [String]
            let consent: ConsentPart?
            let handle: String
            let plan: String
        }
        func way(_ identity: LinkedIdentity) -> Way {
            Way(name: title(of: identity), address: identity.address.map { EmailText($0) })
        }
        var moved = plan.moves.profile.compactMap(\.words)
        if plan.moves.consents > 0 { moved.append("What you agreed to") }
        var lost = plan.losses.profile.compactMap(\.words)
        if plan.losses.sessions > 0 { lost.append("Every place where you are signed in to it") }
        let shown = ConsentPageText(text)
        return render(
            "merge-question",
            Page(
                frame: frame(title: "Make one account of both"), problem: problem,
                ways: plan.moves.identities.map(way), moved: moved, lostWays: plan.losses.identities.map(way),
                lost: lost,
                consent: plan.consent.map { _ in
                    ConsentPart(version: shown.version, language: shown.language, paragraphs: shown.paragraphs)
                },
                handle: handle.rawValue, plan: plan.confirmation.rawValue))
    }
}

extension MergePlan.ProfilePart {
    /// The name of the part, for people.
    fileprivate var words: String? {
        switch self {
        case .name: "Your name"
        case .contactEmail: "Your contact address"
        case .pendingContactEmail: "Your new contact address, which is not confirmed"
        case .contactEmailChange: "The link in our mail that undoes the last change of your contact address"
        case .phone: "Your phone number"
        default: nil
        }
    }
}
