import AccountAPI
import AppleIDTypes
import Testing

@testable import AccountHTTP
@testable import AccountService

/// The pages that tests of all pages go through.
extension PageRendererTests {
    /// Renders one page of each kind.
    func all(of pages: PageRenderer) -> [String] {
        let sessions = SessionPage(sessions: [session(.browser), session(.tokens)], next: session(.tokens).id)
        let request = DeviceRequestText(app: "Juice", code: "ABCD-EFGH", place: "192.0.2.1", age: "a minute ago")
        return [
            pages.signIn(account: nil), pages.signIn(account: johnny), pages.account(johnny), pages.cancelled(),
            pages.failure(.browserCookieMissing, requestID: "1"), pages.deletionQuestion(johnny),
            pages.deletion(deletion), pages.sessions(sessions, current: session(.browser).id), pages.device(),
            pages.device(problem: "A code has eight letters."), pages.deviceRequest(request),
            pages.authorization(app: "Juice", path: "/authorizations/1"),
            pages.authorizationEnd(.denied(), app: "Juice"), pages.endOthersQuestion(),
            pages.export(isFresh: true), pages.export(isFresh: false),
        ] + profiles(of: pages) + passwords(of: pages) + links(of: pages)
    }

    private func passwords(of pages: PageRenderer) -> [String] {
        let rules = PasswordRules(minimumLength: 15, serviceName: "Juice", host: "example.com")
        guard let token = LinkSecret(rawValue: String(repeating: "A", count: 43)),
            let wrong = FormMistake(AccountError(.wrongCredentials, "no"), in: .password),
            let refused = FormMistake(
                AccountError(refusing: PasswordRules.Refusal(.common, minimumLength: 15)), in: .newPassword),
            let address = FormMistake(AccountError(.requestInvalid, "no", field: "email"), in: .email)
        else { return [] }
        func link(_ purpose: EmailLink.Purpose, isOfBrowser: Bool = true) -> EmailLink {
            EmailLink(
                purpose: purpose, address: "a@example.com", isOfBrowser: isOfBrowser, expiresAt: johnny.createdAt)
        }
        let byEmail = WaysIn(apple: false, emailIdentity: "a@example.com", hasPassword: true)
        let password = WayToProve.password(address: "a@example.com")
        var withoutApple = deletion
        withoutApple.hasApple = false
        let byLink = WayToProve.link(address: "a@example.com")
        return [
            pages.signIn(account: nil, entry: PasswordEntry(), notice: "Done."),
            pages.signIn(account: nil, entry: PasswordEntry(typed: "a", mistake: wrong)),
            pages.signUp(SignUpForm(), rules: rules),
            pages.signUp(SignUpForm(typed: "a", givenName: "A", familyName: "B"), rules: rules, mistake: refused),
            pages.emailRequest(.signIn), pages.emailRequest(.reset, typed: "a", mistake: address),
            pages.mailSent(.signUp), pages.mailSent(.signIn), pages.mailSent(.reset),
            pages.signUpLink(token, link(.signUp), rules: rules),
            pages.signUpLink(token, link(.signUp), rules: rules, mistake: refused),
            pages.signUpLink(token, link(.signUp, isOfBrowser: false), rules: rules, typed: "a", mistake: address),
            pages.signInLink(token, link(.signIn)),
            pages.signInLink(token, link(.signIn, isOfBrowser: false), typed: "a", mistake: address),
            pages.resetLink(token, link(.reset), rules: rules, mistake: refused),
            pages.password(address: "a@example.com", rules: rules, hasPassword: true, asksFirst: false, mistake: wrong),
            pages.password(address: "a@example.com", rules: rules, hasPassword: false, asksFirst: true),
            pages.upgrade(
                address: "a@example.com", UpgradeForm(refusal: .consent), asksPassword: true, asksLink: false,
                alwaysNeedsConsent: false, text: .english),
            pages.upgrade(
                address: "a@example.com", UpgradeForm(refusal: .consent), asksPassword: true, asksLink: false,
                alwaysNeedsConsent: true, text: .english),
            pages.upgrade(
                address: "a@example.com", UpgradeForm(refusal: .used), asksPassword: false, asksLink: true,
                alwaysNeedsConsent: false, text: .english),
            pages.account(johnny, ways: byEmail, way: byEmail, notice: "Done."),
            pages.export(isFresh: false, way: password),
            pages.export(isFresh: false, way: .none), pages.deletionQuestion(johnny, way: password, mistake: wrong),
            pages.deletionQuestion(johnny, way: byLink), pages.deletionQuestion(johnny, way: byLink, isFresh: true),
            pages.deletion(withoutApple), pages.prove(password, returnPath: .account, problem: "No."),
            pages.signedOutThere(isByEmail: true),
        ]
    }

    /// The pages of the ways in, with all that they may show.
    private func links(of pages: PageRenderer) -> [String] {
        let rules = PasswordRules(minimumLength: 15, serviceName: "Juice", host: "example.com")
        let apple = LinkedIdentity(
            id: IdentityID(rawValue: "idn_1"), provider: "apple", team: "ABCDE12345", address: nil,
            isPrivateEmail: false, hasPassword: false, addedAt: johnny.createdAt, lastSignInAt: johnny.createdAt)
        let email = LinkedIdentity(
            id: IdentityID(rawValue: "idn_2"), provider: "email", team: nil, address: "a@example.com",
            isPrivateEmail: false, hasPassword: true, addedAt: johnny.createdAt, lastSignInAt: johnny.createdAt)
        let list = LinkList(identities: [apple, email], current: apple.id, removable: [apple.id, email.id])
        guard let token = LinkSecret(rawValue: String(repeating: "A", count: 43)),
            let handle = ConflictHandle(rawValue: String(repeating: "A", count: 43)),
            let refused = FormMistake(
                AccountError(refusing: PasswordRules.Refusal(.common, minimumLength: 15)), in: .newPassword),
            let address = FormMistake(AccountError(.requestInvalid, "no", field: "email"), in: .email)
        else { return [] }
        let link = EmailLink(
            purpose: .link, address: "a@example.com", isOfBrowser: true, expiresAt: johnny.createdAt)
        let needed = (hidden: true, told: true)
        let never = (hidden: false, told: false)
        var toLink = consent
        toLink.purpose = .linkedIdentity
        return [
            pages.links(list, LinkForm(), way: .apple, rules: nil, needsConsent: never, text: .english),
            pages.links(
                list, LinkForm(outcome: .late), way: .password(address: "a@example.com"), rules: rules,
                needsConsent: needed, text: .english),
            pages.links(
                list, LinkForm(outcome: .consent), way: nil, rules: rules, needsConsent: needed, text: .english),
            pages.links(
                list, LinkForm(typed: "a", mistake: refused, lacksConsentToAddress: true), way: nil, rules: rules,
                needsConsent: needed, text: .german),
            pages.links(
                list, LinkForm(outcome: .added, typed: "a", mistake: address), way: nil, rules: rules,
                needsConsent: (hidden: true, told: false), text: .english),
            pages.links(
                list, LinkForm(outcome: .addressConsent), way: nil, rules: rules, needsConsent: needed, text: .english),
            pages.links(list, LinkForm(outcome: .another), way: nil, rules: nil, needsConsent: never, text: .english),
            pages.linkQuestion(apple, isCurrent: true, way: nil),
            pages.linkQuestion(email, isCurrent: false, way: .apple), pages.removedLink(isSignedOut: true),
            pages.linkConflict(CredentialConflict(handle: handle, expiresAt: johnny.createdAt)),
            pages.linkConflict(CredentialConflict(handle: handle, expiresAt: johnny.createdAt, provider: "google")),
            pages.linkAddress(token, link), pages.linkElsewhere(),
            pages.consentQuestion(toLink, of: johnny, unlinked: [apple, email], kept: [email], way: .apple),
            pages.consentQuestion(toLink, of: johnny, kept: [apple]), pages.consentQuestion(toLink, of: johnny),
        ]
    }

    private func profiles(of pages: PageRenderer) -> [String] {
        let mistake = ProfileMistake(member: .phone, problem: .invalid, typed: "x", agreedVersion: "2")
        let change = ContactChange(
            accountID: johnny.id, formerAddress: "a@example.com", formerVerifiedAt: nil, askedAt: johnny.createdAt,
            changedAt: johnny.createdAt, expiresAt: johnny.createdAt, askedBy: consent.sessionID,
            changedBy: consent.sessionID)
        guard let token = LinkSecret(rawValue: String(repeating: "A", count: 43)),
            let link = LinkSecret(rawValue: String(repeating: "A", count: 43))
        else { return [] }
        return [
            pages.profile(
                johnny, purposes: [], text: nil, confirmsContacts: true, outcome: "Saved.", mistake: nil),
            pages.profile(
                johnny, purposes: [.contactEmail, .phone], text: .english, confirmsContacts: false, outcome: nil,
                mistake: mistake),
            pages.consents([consent], texts: .builtIn, languages: []),
            pages.consents([], texts: .builtIn, languages: []), pages.consentQuestion(consent, of: johnny),
            pages.contactQuestion(token, address: "a@example.com", of: johnny),
            pages.takeBackQuestion(token, of: change), pages.takenBack(change),
            pages.notMeQuestion(link, NewDeviceSignIn(session: session(.tokens), state: .live)),
            pages.notMeQuestion(link, NewDeviceSignIn(session: session(.tokens), state: .ended)),
            pages.signedOutThere(),
        ]
    }
}
