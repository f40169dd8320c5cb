import AccountClient

/// Passwords: the form of the first screen, links from mails, the saved password, and the upgrade to Apple.
extension JuiceModel {
    mutating func handlePasswords(_ event: Event) -> [Effect] {
        switch event {
        case .passwordFound(let email): return show(.offeringSaved(email: email))
        case .signedInByPassword(let profile, let email):
            loginEmail = email
            // A script that has ended answers no question.
            guard !isInputOver else { return showResult(profile) }
            self.profile = profile
            return show(.offeringToSave(email: email))
        case .linkTold(let link, let purpose):
            guard screen == .loggingIn else { return [] }
            return switch purpose {
            case .signUp: show(.form(LoginForm(.completeSignUp(link))))
            case .signIn: show(.form(LoginForm(.signInByLink(link), email: loginEmail)))
            case .reset: show(.form(LoginForm(.newPassword(link))))
            default: show(.login(.problem("Juice doesn't know this kind of link. Open it in a browser.")))
            }
        case .passwordChanged: return showDetails(LoginNotice(kind: .note, text: "Your password is changed."))
        case .passwordNeeded:
            guard case .deleting = screen else { return [] }
            guard profile?.hasPassword == true else { return goBack(.linkNeeded) }
            return show(.form(LoginForm(.deleteAccount)))
        case .upgraded(let profile):
            guard isUpgrading else { return [] }
            isUpgrading = false
            let effects = showResult(profile)
            remark = "From now on you sign in with Apple. Your password is gone."
            return effects
        case .upgradeEnded(let notice):
            guard isUpgrading else { return [] }
            isUpgrading = false
            return goBack(notice)
        default: return []
        }
    }

    mutating func performPasswords(_ command: Command) -> [Effect] {
        switch command {
        case .logIn: return show(.form(LoginForm(.logIn, email: loginEmail)))
        case .createAccount: return show(.form(LoginForm(.createAccount, email: loginEmail)))
        case .forgotPassword: return show(.form(LoginForm(.forgottenPassword, email: loginEmail)))
        case .emailLink: return show(.form(LoginForm(.emailLink, email: loginEmail)))
        case .openLink: return show(.form(LoginForm(.openLink)))
        case .useSaved: return show(.loggingIn, then: [.logInWithSavedPassword])
        case .useOther: return show(.login(nil))
        case .savePassword: return profile.map { showResult($0, after: [.savePassword]) } ?? []
        case .dontSave: return profile.map { showResult($0) } ?? []
        case .changePassword: return show(.form(LoginForm(.changePassword)))
        case .upgrade:
            guard profile?.hasPassword == true else { return show(.confirmingUpgrade(password: nil)) }
            return show(.form(LoginForm(.upgrade)))
        case .endElsewhere: return beginUpgrade(endingOthers: true)
        case .keepElsewhere: return beginUpgrade(endingOthers: false)
        default: return []
        }
    }

    private mutating func beginUpgrade(endingOthers: Bool) -> [Effect] {
        guard case .confirmingUpgrade(let password) = screen else { return [] }
        isUpgrading = true
        return show(
            .upgrading(.wait, isCancelling: false), then: [.upgrade(password: password, endingOthers: endingOthers)])
    }

    // MARK: Typing

    mutating func type(_ key: Key, into form: LoginForm) -> [Effect] {
        var form = form
        switch key {
        case .enter, .tab, .down: return goOn(form, submits: key == .enter)
        case .backTab, .up: form.goBack()
        case .escape: return leave(form)
        case .character(let character): form[form.field].append(character)
        case .backspace: _ = form[form.field].popLast()
        case .eraseLine: form[form.field] = ""
        default: return []
        }
        screen = .form(form)
        return []
    }

    /// Takes a whole line. An empty one leaves what was there.
    mutating func submit(_ line: String, for form: LoginForm) -> [Effect] {
        var form = form
        if !line.isEmpty { form[form.field] = line }
        return goOn(form, submits: true)
    }

    private mutating func goOn(_ form: LoginForm, submits: Bool) -> [Effect] {
        var form = form
        if form.purpose.fields.contains(.email), !form[.email].isEmpty { loginEmail = form[.email] }
        guard form.isAtEnd else {
            form.goOn()
            // Lines already typed belong to the next field.
            return show(.form(form))
        }
        guard submits else { return [] }
        return submit(form)
    }

    mutating func leave(_ form: LoginForm) -> [Effect] {
        guard form.purpose.isSignedIn else { return show(.login(nil)) }
        switch form.purpose {
        case .changePassword: return profile.map { show(.profile($0)) } ?? goBack()
        case .addAddress, .finishAddress, .proof: return show(.waysIn(waysIn))
        default: return goBack()
        }
    }

    mutating func submit(_ form: LoginForm) -> [Effect] {
        if case .completeSignUp(let link) = form.purpose, form[.password].isEmpty {
            return show(.form(LoginForm(.completeSignUpAnew(link), email: loginEmail)))
        }
        // An empty field is no answer.
        guard form.purpose.fields.allSatisfy({ !form[$0].isEmpty }) else { return leave(form) }
        let (email, password, new) = (form[.email], TypedText(form[.password]), TypedText(form[.newPassword]))
        switch form.purpose {
        case .logIn:
            return show(.loggingIn, then: [.logIn(SavedPassword(email: email, password: password.text))])
        case .createAccount:
            return show(.loggingIn, then: [.createAccount(SavedPassword(email: email, password: new.text))])
        case .forgottenPassword: return show(.loggingIn, then: [.resetPassword(email: email)])
        case .emailLink: return show(.loggingIn, then: [.requestLink(email: email)])
        case .openLink:
            guard let link = EmailLink(form[.link]) else {
                return show(.login(.problem("That is no link from a mail of this account service.")))
            }
            return show(.loggingIn, then: [.askAboutLink(link)])
        case .completeSignUp(let link):
            return show(.loggingIn, then: [.finishSignUp(link, password, email: nil)])
        case .completeSignUpAnew(let link): return show(.loggingIn, then: [.finishSignUp(link, new, email: email)])
        case .signInByLink(let link): return show(.loggingIn, then: [.finishSignIn(link, email: email)])
        case .newPassword(let link): return show(.loggingIn, then: [.finishReset(link, new)])
        case .changePassword: return show(.askingProfile, then: [.changePassword(from: password, to: new)])
        case .upgrade: return show(.confirmingUpgrade(password: password))
        case .deleteAccount:
            return show(.deleting(.wait, isCancelling: false), then: [.deleteAccount(password: password)])
        case .addAddress, .finishAddress, .proof: return submitLinking(form)
        }
    }
}

extension JuiceScreen {
    /// The blocks of the first screen: the form of Apple's sample, and Apple's button.
    static func loginBlocks(email: String, buttons: [Command]) -> [ScreenBlock] {
        [
            .value(caption: "Email", email.isEmpty ? nil : email), .value(caption: "Password", nil), .gap,
            .buttons(buttons.filter(\.isOfForm)), .gap, .buttons(buttons.filter { !$0.isOfForm }),
        ]
    }

    static func savedBlocks(_ email: String) -> [ScreenBlock] {
        [.text("Sign in with this account?", .title), .gap, .value(caption: "Email", email)]
    }

    static func savingBlocks(_ email: String) -> [ScreenBlock] {
        [
            .text("Save the password on this device?", .title), .gap, .value(caption: "Email", email), .gap,
            .text("It is kept where the session is kept: \(Self.aboutStore)", .note),
        ]
    }

    #if canImport(Darwin)
        private static let aboutStore = "in the keychain."
    #else
        private static let aboutStore = "in the keyring, if there is one."
    #endif

    static let upgradeBlocks: [ScreenBlock] = [
        .text("End your sessions elsewhere?", .title), .gap,
        .text("You sign in with Apple next. Your account stays, and your password goes.", .plain),
    ]
}
