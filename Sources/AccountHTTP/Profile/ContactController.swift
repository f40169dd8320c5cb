import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// The pages of the links in mails about a contact address: one confirms it, one takes its change back.
///
/// Programs that check mails open every link, so a link alone changes nothing: the page asks, and its form acts.
struct ContactController: Sendable {
    static let path = "/contact/"

    let profiles: Profiles
    let pages: PageRenderer
    let callers: CallerReader

    @Sendable func ask(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let secret = try LinkSecret(pathOf: context)
        let pending = try await profiles.pendingContact(secret)
        guard pending.accountID == context.session.account.id else {
            throw AccountError(.linkOfAnotherAccount, "this link belongs to another account")
        }
        return Response(
            page: pages.contactQuestion(secret, address: pending.address, of: context.session.account))
    }

    @Sendable func confirm(_ request: Request, _ context: BrowserContext) async throws -> Response {
        _ = try await profiles.confirmContact(
            try LinkSecret(pathOf: context), in: context.session, from: callers.caller(of: request, context))
        return Response(seeOther: ProfileController.Outcome.confirmed.path)
    }

    @Sendable func askTakeBack(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let secret = try LinkSecret(pathOf: context)
        let change = try await profiles.contactChange(secret)
        return Response(page: pages.takeBackQuestion(secret, of: change))
    }

    @Sendable func takeBack(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let change = try await profiles.takeBack(
            try LinkSecret(pathOf: context), from: callers.caller(of: request, context))
        return Response(page: pages.takenBack(change))
    }
}

extension PageRenderer {
    /// Asks whether an address becomes the person's contact address.
    func contactQuestion(_ secret: LinkSecret, address: String, of account: Account) -> String {
        struct Page {
            let frame: PageFrame
            let token: String
            let email: EmailText
            let person: String?
        }
        return render(
            "contact-question",
            Page(
                frame: frame(title: "Confirm your address"), token: secret.rawValue, email: EmailText(address),
                person: account.name?.formatted))
    }

    /// Asks whether a change of the contact address is taken back. It doesn't show the new address: whoever reads the
    /// mailbox of the former one isn't told.
    func takeBackQuestion(_ secret: LinkSecret, of change: ContactChange) -> String {
        struct Page {
            let frame: PageFrame
            let token: String
            let changed: CalendarDay
            let former: EmailText?
        }
        return render(
            "take-back-question",
            Page(
                frame: frame(title: "Take the change back"), token: secret.rawValue,
                changed: CalendarDay(of: change.changedAt), former: change.formerAddress.map { EmailText($0) }))
    }

    /// Tells that a change of the contact address is taken back.
    func takenBack(_ change: ContactChange) -> String {
        done(
            heading: "The change is taken back",
            [
                change.formerAddress.map { "\($0) is your contact address again." }
                    ?? "Your account has no contact address now.",
                "The device or browser that asked for the change is signed out, and so is every one that signed in since "
                    + "then. Look through the others too.",
            ],
            action: .sessions)
    }

    /// Tells a person that something worked.
    func done(heading: String, _ paragraphs: [String], action: FailureText.Action) -> String {
        struct Page {
            let frame: PageFrame
            let heading: String
            let paragraphs: [String]
            let action: FailureText.Action
        }
        return render(
            "done", Page(frame: frame(title: heading), heading: heading, paragraphs: paragraphs, action: action))
    }
}
