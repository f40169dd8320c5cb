import AccountClient

/// The effect of a merge of two accounts, as the person reads it.
public struct MergeReading: Hashable, Sendable {
    /// The things that come to this account, in words.
    public internal(set) var moved: [String]
    /// The things that are gone then, in words.
    public internal(set) var lost: [String]

    var blocks: [ScreenBlock] {
        [.text("Make one account of both?", .title), .gap, .text("This can’t be undone.", .problem), .gap]
            + moved.map { .value(caption: "Comes here", $0) } + lost.map { .value(caption: "Is lost", $0) }
            + [.gap, .text("The other account is gone then.", .note)]
    }
}

extension MergeReading {
    /// Puts a plan into words.
    /// - Parameter providers: the providers that Juice offers, with the names that people know.
    init(_ plan: AccountMergePlan, namedBy providers: [OfferedProvider]) {
        let words = { (identity: AccountIdentity) in Self.words(identity, namedBy: providers) }
        moved = plan.movedIdentities.map(words) + plan.movedProfile.compactMap(Self.words)
        if plan.movedConsents > 0 { moved.append("what you agreed to") }
        moved.append("the history of the other account")
        lost = plan.lostIdentities.map(words) + plan.lostProfile.compactMap(Self.words)
        if plan.lostSessions > 0 {
            lost.append("\(plan.lostSessions) session\(plan.lostSessions == 1 ? "" : "s") of the other account")
        }
        lost.append("links in mails to it")
    }

    private static func words(_ identity: AccountIdentity, namedBy providers: [OfferedProvider]) -> String {
        let name =
            switch identity.provider {
            case .apple: "Apple Account"
            case .email: "email address"
            default: "\(providers.name(of: identity.provider)) account"
            }
        return identity.address.map { "\(name) \($0)" } ?? name
    }

    private static func words(_ part: AccountMergePlan.ProfilePart) -> String? {
        switch part {
        case .name: "your name"
        case .contactEmail: "your contact address"
        case .pendingContactEmail: "your new contact address"
        case .contactEmailChange: "the link that undoes the last change of your contact address"
        case .phone: "your phone number"
        default: nil
        }
    }
}
