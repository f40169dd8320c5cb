import AccountService
import AppleIDTypes

/// A mistake in one of the forms of the profile, which the page shows beside the field.
struct ProfileMistake {
    enum Member {
        case contactEmail
        case phone
    }

    enum Problem {
        /// The text isn't an address or a number.
        case invalid
        /// The person hasn't agreed to the text, or not to the current one.
        case consent
        /// Too many mails, or too many consents that were withdrawn.
        case tooOften
        /// No address waits any more for the link that is to be sent again: it was confirmed or removed, or its link is too
        /// old.
        case nothingWaits
    }

    let member: Member
    let problem: Problem
    /// The text that the person typed.
    let typed: String
    /// The version of the text whose box the person had ticked; nil if they hadn't.
    let agreedVersion: String?

    /// The words below the field.
    fileprivate var words: String? {
        switch (problem, member) {
        case (.invalid, .contactEmail): "This is not an email address."
        case (.invalid, .phone): "This is not a phone number with + and a country code."
        case (.tooOften, .contactEmail): "We have sent too many mails today. Try again later."
        case (.tooOften, .phone): "You have changed this too often today. Try again later."
        case (.nothingWaits, .contactEmail): "No address waits for a link any more. To add one, type it here."
        case (.consent, _), (.nothingWaits, .phone): nil
        }
    }

    /// The words below the box.
    fileprivate var consentWords: String? {
        problem == .consent ? "To save this, agree to the text above." : nil
    }
}

/// A consent text as templates show it.
struct ConsentPageText {
    let version: String
    let language: String
    let paragraphs: [String]

    init(_ text: ConsentTexts.Text) {
        version = text.version
        language = text.language
        var paragraphs: [String] = []
        var lines: [Substring] = []
        // An empty line ends a paragraph.
        let all = text.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for line in all + [Substring()] {
            if !line.allSatisfy(\.isWhitespace) {
                lines.append(line)
            } else if !lines.isEmpty {
                paragraphs.append(lines.joined(separator: "\n"))
                lines = []
            }
        }
        self.paragraphs = paragraphs
    }
}

extension PageRenderer {
    /// The page with the forms for name, contact address and phone number.
    /// - Parameters:
    ///   - isByApple: Whether the person signs in with Apple.
    ///   - purposes: What the person must agree to before they save it.
    ///   - text: The text to agree to; nil if no consent is needed.
    ///   - confirmsContacts: Whether the service can confirm a contact address.
    ///   - outcome: The outcome of the form that the person has sent.
    ///   - mistake: The mistake in the form that the person has sent.
    func profile(
        _ account: Account, isByApple: Bool = true, purposes: [Consent.Purpose], text: ConsentTexts.Text?,
        confirmsContacts: Bool,
        outcome: String?, mistake: ProfileMistake?
    ) -> String {
        let consent = text.map { ConsentPageText($0) }
        func agreement(_ purpose: Consent.Purpose, _ mistake: ProfileMistake?) -> ProfileAgreement? {
            guard let consent, purposes.contains(purpose) else { return nil }
            return ProfileAgreement(
                version: consent.version, isChecked: mistake?.agreedVersion == consent.version,
                consentProblem: mistake?.consentWords)
        }
        let (contactMistake, phoneMistake) = (
            mistake?.member == .contactEmail ? mistake : nil, mistake?.member == .phone ? mistake : nil
        )
        return render(
            "profile",
            ProfilePage(
                frame: frame(title: "Your profile"), isByApple: isByApple, outcome: outcome,
                name: ProfileNameForm(account.name),
                hasName: account.name != nil, consent: consent,
                contact: ProfileContactForm(
                    confirmed: account.contactEmail.map { EmailText($0) },
                    pending: account.pendingContactEmail.map { EmailText($0) },
                    hasAny: account.contactEmail != nil || account.pendingContactEmail != nil,
                    canSend: confirmsContacts, typed: contactMistake?.typed ?? "", problem: contactMistake?.words,
                    agreement: agreement(.contactEmail, contactMistake)),
                phone: ProfilePhoneForm(
                    hasAny: account.phone != nil, typed: phoneMistake?.typed ?? account.phone ?? "",
                    problem: phoneMistake?.words, agreement: agreement(.phone, phoneMistake))))
    }
}

private struct ProfilePage {
    let frame: PageFrame
    let isByApple: Bool
    let outcome: String?
    let name: ProfileNameForm
    let hasName: Bool
    let consent: ConsentPageText?
    let contact: ProfileContactForm
    let phone: ProfilePhoneForm
}

private struct ProfileNameForm {
    let given: String
    let family: String
    let prefix: String
    let middle: String
    let suffix: String
    let nickname: String
    /// Whether any of the parts that hardly anybody fills in is there.
    let isLong: Bool

    init(_ name: PersonName?) {
        given = name?.givenName ?? ""
        family = name?.familyName ?? ""
        prefix = name?.namePrefix ?? ""
        middle = name?.middleName ?? ""
        suffix = name?.nameSuffix ?? ""
        nickname = name?.nickname ?? ""
        isLong = [prefix, middle, suffix, nickname].contains { !$0.isEmpty }
    }
}

private struct ProfileContactForm {
    let confirmed: EmailText?
    let pending: EmailText?
    let hasAny: Bool
    let canSend: Bool
    let typed: String
    let problem: String?
    let agreement: ProfileAgreement?
}

private struct ProfilePhoneForm {
    let hasAny: Bool
    let typed: String
    let problem: String?
    let agreement: ProfileAgreement?
}

/// The box that a person ticks to agree to the text on the page.
private struct ProfileAgreement {
    let version: String
    let isChecked: Bool
    let consentProblem: String?
}
