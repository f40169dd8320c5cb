/// The profile: the person changes it, reads what they are asked to agree to, and withdraws consents.
extension JuiceModel {
    mutating func handleProfile(_ event: Event) -> [Effect] {
        switch event {
        case .profileUpdated(let profile):
            change(to: profile)
            return showDetails()
        case .profileFailed(let notice): return showDetails(notice)
        case .consentAsked(let reading):
            let isAsked = screen == .askingProfile || isUpgrading || waysInChange != nil
            return isAsked ? show(.consent(reading)) : [.answerQuestion(false)]
        case .consentsListed(let rows): return screen == .askingProfile ? show(.consents(rows)) : []
        default: return []
        }
    }

    mutating func performProfile(_ command: Command) -> [Effect] {
        switch command {
        case .profile: return profile.map { show(.profile($0)) } ?? []
        case .editName: return edit(.givenName)
        case .editContactEmail: return edit(.contactEmail)
        case .editPhone: return edit(.phone)
        case .more:
            guard case .consent(var reading) = screen else { return [] }
            reading.readOn()
            return show(.consent(reading))
        case .agree: return answerConsent(true)
        case .disagree: return answerConsent(false)
        case .consents: return show(.askingProfile, then: [.listConsents])
        case .withdraw(let number):
            guard case .consents(let rows) = screen, let row = rows.inForce.first(where: { $0.number == number })?.row
            else { return [] }
            return show(.confirmingWithdrawal(row, of: rows))
        case .confirmWithdrawal:
            guard case .confirmingWithdrawal(let row, _) = screen else { return [] }
            return show(.askingProfile, then: [.withdrawConsent(id: row.id)])
        default: return []
        }
    }

    private mutating func answerConsent(_ agrees: Bool) -> [Effect] {
        var next = isUpgrading ? JuiceScreen.upgrading(.wait, isCancelling: false) : .askingProfile
        if let waysInChange { next = .changingWaysIn(waysInChange, .wait, isCancelling: false) }
        return show(next, then: [.answerQuestion(agrees)])
    }

    /// Shows the profile after the account service has answered, if the person still waits for that.
    mutating func showDetails(_ notice: LoginNotice? = nil) -> [Effect] {
        guard screen == .askingProfile, let profile else { return [] }
        remark = notice?.text
        return show(.profile(profile))
    }

    // MARK: Typing

    private mutating func edit(_ field: ProfileEntry.Field) -> [Effect] {
        guard let profile else { return [] }
        return show(.editing(ProfileEntry(field: field, text: field.text(in: profile))))
    }

    mutating func type(_ key: Key, into entry: ProfileEntry) -> [Effect] {
        var entry = entry
        switch key {
        case .enter: return keep(entry)
        case .escape: return profile.map { show(.profile($0)) } ?? []
        case .character(let character): entry.append(character)
        case .backspace: _ = entry.text.popLast()
        case .eraseLine: entry.text = ""
        default: return []
        }
        screen = .editing(entry)
        return []
    }

    /// Takes a whole line: an empty one leaves the value as it was, and a hyphen removes it.
    mutating func submit(_ line: String, for entry: ProfileEntry) -> [Effect] {
        var entry = entry
        switch line {
        case "": break
        case "-": entry.text = ""
        default:
            entry.text = ""
            for character in line { entry.append(character) }
        }
        return keep(entry)
    }

    private mutating func keep(_ entry: ProfileEntry) -> [Effect] {
        guard let profile else { return [] }
        let change: ProfileEdit
        switch entry.field {
        case .givenName:
            let next = ProfileEntry.Field.familyName(givenName: entry.text)
            return show(.editing(ProfileEntry(field: next, text: next.text(in: profile))))
        case .familyName(let givenName): change = .name(givenName: givenName, familyName: entry.text)
        case .contactEmail: change = .contactEmail(entry.text)
        case .phone: change = .phone(entry.text)
        }
        guard change != ProfileEdit(entry.field, of: profile) else { return show(.profile(profile)) }
        return show(.askingProfile, then: [.updateProfile(change)])
    }
}

extension ProfileEdit {
    /// The change that repeats the profile's present value, so that it changes nothing.
    fileprivate init(_ field: ProfileEntry.Field, of profile: Profile) {
        switch field {
        case .givenName, .familyName:
            self = .name(givenName: profile.givenName ?? "", familyName: profile.familyName ?? "")
        case .contactEmail: self = .contactEmail(field.text(in: profile))
        case .phone: self = .phone(field.text(in: profile))
        }
    }
}
