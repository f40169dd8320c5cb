extension AccountWork {
    /// Does what the model asks of an account. Effects on a terminal or on the process do nothing here.
    package mutating func perform(_ effect: Effect) {
        switch effect {
        case .findAccount: findAccount()
        case .signIn(let provider): signIn(provider)
        case .cancelSignIn: cancelSignIn()
        case .signOut: signOut()
        case .askAppleState: askAppleState()
        case .listSessions: listSessions()
        case .endSession(let id): endSession(id)
        case .endOtherSessions: endOtherSessions()
        case .deleteAccount(let password): deleteAccount(password)
        case .cancelDeletion: cancelDeletion()
        case .updateProfile(let edit): updateProfile(edit)
        case .answerQuestion(let agrees): answerQuestion(agrees)
        case .listConsents: listConsents()
        case .withdrawConsent(let id): withdrawConsent(id)
        case .logIn, .logInWithSavedPassword, .savePassword, .createAccount, .resetPassword, .requestLink,
            .askAboutLink, .finishSignUp, .finishSignIn, .finishReset, .changePassword, .upgrade, .cancelUpgrade:
            performPasswords(effect)
        case .listWaysIn: listWaysIn()
        case .changeWaysIn(let change, let password): self.change(change, password: password)
        case .cancelWaysIn: cancelWaysIn()
        case .suspend, .resume, .exit: break
        }
    }

    private mutating func performPasswords(_ effect: Effect) {
        switch effect {
        case .logIn(let password): logIn(password)
        case .logInWithSavedPassword: logInWithSavedPassword()
        case .savePassword: savePassword()
        case .createAccount(let password): createAccount(password)
        case .resetPassword(let email): resetPassword(email)
        case .requestLink(let email): requestLink(email)
        case .askAboutLink(let link): askAboutLink(link)
        case .finishSignUp(let link, let password, let email): finishSignUp(link, password, email: email)
        case .finishSignIn(let link, let email): finishSignIn(link, email)
        case .finishReset(let link, let password): finishReset(link, password)
        case .changePassword(let current, let new): changePassword(from: current, to: new)
        case .upgrade(let password, let endingOthers): upgrade(password, endingOthers: endingOthers)
        case .cancelUpgrade: cancelUpgrade()
        default: break
        }
    }
}
