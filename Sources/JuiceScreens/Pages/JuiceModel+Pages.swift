import AccountClient

/// The person's input where screens are views with buttons and fields, in place of keys.
extension JuiceModel {
    mutating func handleView(_ event: Event) -> [Effect] {
        switch event {
        case .pressed(let command): return buttons.contains(command) ? perform(command) : []
        case .left: return leaveView()
        case .submitted(let form): return submitView(form)
        case .edited(let edit):
            // A view has all values at once, and sends the one that was typed.
            guard case .profile = screen else { return [] }
            remark = nil
            return show(.askingProfile, then: [.updateProfile(edit)])
        case .linkOpened(let link): return open(link)
        case .credentialCame:
            guard case .login = screen else { return [] }
            remark = nil
            return show(.loggingIn)
        default: return []
        }
    }

    private mutating func leaveView() -> [Effect] {
        switch screen {
        case .form(let form): return leave(form)
        case .editing: return profile.map { show(.profile($0)) } ?? []
        default:
            guard let back = buttons.first(where: { $0.isWayBack }) else { return [] }
            return perform(back)
        }
    }

    private mutating func submitView(_ form: LoginForm) -> [Effect] {
        // A form that is no longer on the screen is dropped.
        guard case .form(let shown) = screen, shown.purpose == form.purpose else { return [] }
        remark = nil
        if form.purpose.fields.contains(.email), !form[.email].isEmpty { loginEmail = form[.email] }
        return submit(form)
    }

    /// A link signs somebody in, or adds an address to the account of a person who is signed in.
    private mutating func open(_ link: EmailLink) -> [Effect] {
        switch screen {
        case .login, .offeringSaved: return ask(about: link)
        case .form(let form) where !form.purpose.isSignedIn: return ask(about: link)
        case .result, .waysIn:
            remark = nil
            return begin(.finishAddress(link))
        default:
            remark = "Finish this first, then open the link once more."
            return []
        }
    }

    private mutating func ask(about link: EmailLink) -> [Effect] {
        remark = nil
        return show(.loggingIn, then: [.askAboutLink(link)])
    }
}
