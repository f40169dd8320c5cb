import AccountClient

/// The ways in to the account: the person lists them, adds an Apple Account or an address, and removes one.
extension JuiceModel {
    mutating func handleLinking(_ event: Event) -> [Effect] {
        switch event {
        case .waysInListed(let ways):
            waysIn = ways
            return screen == .askingWaysIn ? show(.waysIn(ways)) : []
        case .waysInChanged(let ways, let notice):
            waysIn = ways
            return endChange(notice)
        case .waysInFailed(let notice):
            guard waysInChange == nil else { return endChange(notice) }
            return screen == .askingWaysIn ? goBack(notice) : []
        case .conflictFound(let handle):
            guard waysInChange != nil else { return [] }
            waysInChange = nil
            return show(.conflict(handle))
        case .mergePlanned(let reading):
            guard waysInChange != nil else { return [.answerQuestion(false)] }
            return show(.confirmingMerge(reading))
        case .proofNeeded(let change):
            guard waysInChange != nil else { return [] }
            guard profile?.hasPassword == true else { return endChange(.proofByLinkNeeded) }
            waysInChange = nil
            return show(.form(LoginForm(.proof(change))))
        default: return []
        }
    }

    mutating func performLinking(_ command: Command) -> [Effect] {
        switch command {
        case .waysIn: return show(.askingWaysIn, then: [.listWaysIn])
        case .addApple: return begin(.addApple)
        case .addAt(_, let provider): return begin(.addAt(provider))
        case .addAddress: return show(.form(LoginForm(.addAddress, email: profile?.contactEmail ?? "")))
        case .enterLink: return show(.form(LoginForm(.finishAddress)))
        case .remove(let number):
            guard let way = waysIn.numbered.first(where: { $0.number == number })?.way else { return [] }
            return show(.confirmingRemoval(way))
        case .confirmRemoval:
            guard case .confirmingRemoval(let way) = screen else { return [] }
            return begin(.remove(id: way.id))
        case .goOver:
            guard case .conflict(let handle) = screen else { return [] }
            return begin(.goOver(handle))
        case .merge:
            guard case .conflict(let handle) = screen else { return [] }
            return begin(.merge(handle))
        case .confirmMerge: return answerMerge(true)
        case .keepBoth: return answerMerge(false)
        case .stay: return show(.waysIn(waysIn))
        default: return []
        }
    }

    private mutating func answerMerge(_ agrees: Bool) -> [Effect] {
        guard case .confirmingMerge = screen, let change = waysInChange else { return [] }
        return show(.changingWaysIn(change, .wait, isCancelling: false), then: [.answerQuestion(agrees)])
    }

    /// - Parameter password: proves that the person is there.
    mutating func begin(_ change: WaysInChange, password: TypedText? = nil) -> [Effect] {
        waysInChange = change
        return show(
            .changingWaysIn(change, .wait, isCancelling: false),
            then: [.changeWaysIn(change, password: password)])
    }

    /// Shows the ways in after a change has ended, if the person still waits for that.
    private mutating func endChange(_ notice: LoginNotice) -> [Effect] {
        guard waysInChange != nil else { return [] }
        waysInChange = nil
        remark = notice.text
        return show(.waysIn(waysIn))
    }

    /// Takes a form about ways in that the person has filled in.
    mutating func submitLinking(_ form: LoginForm) -> [Effect] {
        switch form.purpose {
        case .addAddress:
            return begin(.addAddress(email: form[.email], password: TypedText(form[.newPassword])))
        case .finishAddress:
            guard let link = EmailLink(form[.link]) else {
                remark = "That is no link from a mail of this account service."
                return show(.waysIn(waysIn))
            }
            return begin(.finishAddress(link))
        case .proof(let change): return begin(change, password: TypedText(form[.password]))
        default: return []
        }
    }
}
