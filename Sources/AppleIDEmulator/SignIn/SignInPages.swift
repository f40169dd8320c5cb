import Mustache

extension Pages {
    /// Makes the page of a step of the sign-in to an Apple Account.
    /// - Parameter complaint: the fault of the last attempt.
    func signIn(_ step: SignInStep, _ person: Portal.Person, _ place: SignInPlace, complaint: String? = nil) -> Page {
        var values = Self.values(person)
        values["complaint"] = complaint
        var powers = Page.Powers.forms
        switch place {
        case .sheet(let request, let id):
            values["request"] = id
            values["another"] = "/auth/authorize/sheet?request=\(id)"
            powers = self.powers(request)
        case .settings:
            values["another"] = "/settings"
        }
        switch step {
        case .password:
            values["title"] = "Enter the password"
            values["hint"] =
                person.password == nil
                ? "Any password does: this person is made up." : "The portal declares the password of this person."
            return Page(passwordPage.render(values), powers)
        case .code:
            values["title"] = "Enter the verification code"
            return Page(codePage.render(values), powers)
        }
    }
}
