/// The facts about an account that decide what a merge does.
struct MergeFacts: Hashable, Sendable {
    var id: AccountID
    /// The identities that open the account, oldest first.
    var identities: [LinkedIdentity]
    var name: PersonName?
    /// When the person typed the name, or removed it.
    var nameTypedAt: Timestamp?
    var contact: ContactFacts
    /// Whether a link in a mail can take a change of the contact address back.
    var hasContactChange = false
    /// Whether the operator has disabled the account.
    var isDisabled: Bool
    /// The number of live sessions.
    var sessions: Int
    /// The number of consents that hold.
    var consents: Int
    /// The consents that hold by which identities have joined the account.
    var linkConsents: [IdentityID: ConsentID] = [:]
    /// The purposes to which the person has agreed by a consent to the current text.
    var agreed: [Consent.Purpose]
}

/// Decides what a merge moves and what it loses.
///
/// The remaining account wins: it keeps what it has, and gets what it lacks.
enum MergeRules {
    /// - Parameters:
    ///   - from: the account that is merged.
    ///   - into: the remaining account.
    ///   - currentText: the version of the consent text that people are asked to agree to.
    ///   - expiresAt: when the handle of the conflict no longer works.
    static func plan(
        from: MergeFacts, into: MergeFacts, currentText: String, expiresAt: Timestamp
    ) -> MergePlan {
        let hasAddress = into.identities.contains(where: \.isByEmail)
        let lost = from.identities.filter { hasAddress && $0.isByEmail }
        let moved = from.identities.filter { identity in !lost.contains { $0.id == identity.id } }
        let profile = profile(from: from, into: into)
        // Each identity that comes beside another kind needs a consent of its own, as a link does.
        let joining = moved.filter { identity in
            into.identities.contains { $0.hidesAddress != identity.hidesAddress }
        }
        var missing = purposes(of: into, with: moved, profile.moved).filter {
            !into.agreed.contains($0) && !from.agreed.contains($0)
        }
        if !joining.isEmpty { missing.insert(.linkedIdentity, at: 0) }
        let ended = endedConsents(of: from, leaving: joining, lost)
        let consent = missing.isEmpty ? nil : Consent.Requirement(purposes: missing, textVersion: currentText)
        let words = { (parts: [MergePlan.ProfilePart]) in parts.map(\.rawValue).joined(separator: " ") }
        let ids = { (identities: [LinkedIdentity]) in identities.map(\.id.rawValue).sorted().joined(separator: " ") }
        // Sessions and consents come and go without the person's doing, so the confirmation leaves them out.
        let confirmation = MergeConfirmation(of: [
            from.id.rawValue, into.id.rawValue, ids(moved), ids(lost), words(profile.moved), words(profile.lost),
        ])
        return MergePlan(
            from: from.id, into: into.id,
            moves: MergePlan.Moves(identities: moved, profile: profile.moved, consents: from.consents - ended.count),
            losses: MergePlan.Losses(identities: lost, profile: profile.lost, sessions: from.sessions),
            consent: consent, joining: joining.map(\.id), replacedConsents: ended.replaced, lostConsents: ended.lost,
            confirmation: confirmation, expiresAt: expiresAt)
    }

    /// A part that both have alike is neither moved nor lost.
    private static func profile(
        from: MergeFacts, into: MergeFacts
    ) -> (moved: [MergePlan.ProfilePart], lost: [MergePlan.ProfilePart]) {
        var (moved, lost): ([MergePlan.ProfilePart], [MergePlan.ProfilePart]) = ([], [])
        func decide<Value: Equatable>(_ part: MergePlan.ProfilePart, _ value: Value?, _ present: Value?, isFree: Bool) {
            guard let value, value != present else { return }
            if present == nil, isFree { moved.append(part) } else { lost.append(part) }
        }
        // A name that the person has removed does not come back.
        decide(.name, from.name, into.name, isFree: into.nameTypedAt == nil)
        decide(.contactEmail, from.contact.email, into.contact.email, isFree: true)
        if from.hasContactChange {
            // The link brings back an address of the merged account, so another address must not be there.
            let isFree = into.contact.email == nil && !into.hasContactChange
            if isFree { moved.append(.contactEmailChange) } else { lost.append(.contactEmailChange) }
        }
        // Its link is for a session that ends.
        decide(.pendingContactEmail, from.contact.pendingEmail, into.contact.email, isFree: false)
        decide(.phone, from.contact.phone, into.contact.phone, isFree: true)
        return (moved, lost)
    }

    /// The consents of the merged account that end with the merge.
    private struct EndedConsents {
        var replaced: [ConsentID]
        var lost: [ConsentID]

        var count: Int { replaced.count + lost.count }
    }

    /// The consents by which identities had joined the merged account, unless another identity needs them. An identity
    /// goes with one consent, so the consent to the merge takes their place. Nothing is left of the consent to a lost
    /// identity.
    private static func endedConsents(
        of from: MergeFacts, leaving joining: [LinkedIdentity], _ lost: [LinkedIdentity]
    ) -> EndedConsents {
        let (joining, lost) = (Set(joining.map(\.id)), Set(lost.map(\.id)))
        let consents = { (isMeant: (IdentityID) -> Bool) in
            Set(from.linkConsents.filter { isMeant($0.key) }.values)
        }
        let kept = consents { !joining.contains($0) && !lost.contains($0) }
        let replaced = consents { joining.contains($0) }.subtracting(kept)
        let gone = consents { lost.contains($0) }.subtracting(kept).subtracting(replaced)
        return EndedConsents(
            replaced: replaced.sorted { $0.rawValue < $1.rawValue }, lost: gone.sorted { $0.rawValue < $1.rawValue })
    }

    /// The contact data that come together with a hidden address, as the purposes of consent.
    private static func purposes(
        of into: MergeFacts, with moved: [LinkedIdentity], _ parts: [MergePlan.ProfilePart]
    ) -> [Consent.Purpose] {
        let bringsHidden = moved.contains(where: \.hidesAddress)
        let endsHidden = bringsHidden || into.identities.contains(where: \.hidesAddress)
        let isTogether = { (isThere: Bool, part: MergePlan.ProfilePart) in
            isThere && bringsHidden || parts.contains(part) && endsHidden
        }
        var purposes: [Consent.Purpose] = []
        let hasContact = into.contact.email != nil || into.contact.pendingEmail != nil
        if isTogether(hasContact, .contactEmail) { purposes.append(.contactEmail) }
        if isTogether(into.contact.phone != nil, .phone) { purposes.append(.phone) }
        return purposes
    }
}
