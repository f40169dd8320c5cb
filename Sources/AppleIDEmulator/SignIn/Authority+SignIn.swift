import AppleIDTypes
import Hummingbird

extension Authority {
    /// Nil: nothing is missing, or nobody is asked.
    func missingStep(for person: Portal.Person, session: String?) -> SignInStep? {
        guard configuration.asksPassword else { return nil }
        return current.missingStep(for: person, session: session, at: environment.seconds)
    }

    /// The name of a new session.
    func enterPassword(of person: Portal.Person, replacing old: String?) -> String {
        let id = randomness.pageID()
        change { $0.enterPassword(of: person, replacing: old, newID: id, at: environment.seconds) }
        return id
    }

    /// The session's new name; nil when the password has to be entered first.
    func enterCode(of person: Portal.Person, session: String?) -> String? {
        let id = randomness.pageID()
        return change { $0.enterCode(of: person, session: session, newID: id, at: environment.seconds) }
    }
}

extension Authority {
    var accountCookie: AccountCookie { AccountCookie(baseURL: portal.baseURL) }

    /// The page of the step that is missing before this person gets in; nil when none is.
    func missingStepPage(
        for person: Portal.Person, at place: SignInPlace, _ request: Request, _ pages: Pages
    ) throws -> Page? {
        let session = accountCookie.value(in: request)
        guard let step = missingStep(for: person, session: session) else { return nil }
        if session == nil, try request.queryFields()["cookie"] != nil {
            throw Refusal(
                .invalidRequest, "Your browser kept no cookie from here, and without one nobody can sign in.")
        }
        return pages.signIn(step, person, place)
    }
}
