import AccountClient
package import Foundation

/// The part that a text plays on a screen, for which a view has a style.
public enum TextRole: Hashable, Sendable {
    case plain, title
    /// An explanation, or the news of something that went well.
    case note
    /// Something that went wrong, or can't be undone.
    case problem
}

/// A part of a screen, independent of the screen's width.
public enum ScreenBlock: Hashable, Sendable {
    case text(String, TextRole)
    /// A caption and what it stands for; nil where there is nothing to show.
    case value(caption: String, String?)
    /// An address to be copied: by hand, by eye or by mouse.
    case address(String)
    case code(String)
    /// A paragraph of a text that is longer than names and addresses.
    case paragraph(String)
    /// The value that the person types, as far as they have.
    case entry(caption: String, String)
    /// A field of a form that the person fills in, as far as they have.
    case formEntry(caption: String, String, isSecret: Bool)
    /// A password that was typed: only its length is shown.
    case secret(caption: String, count: Int)
    case gap
    case buttons([Command])
}

extension JuiceModel {
    /// Returns the blocks to be seen, from top to bottom.
    /// - Parameter clock: Spells a time of day.
    package func blocks(clock: (Date) -> String) -> [ScreenBlock] {
        (remark.map { [.text($0, .note), .gap] } ?? [])
            + screen.blocks(
                clock: clock, email: loginEmail, buttons: buttons)
    }
}

extension JuiceScreen {
    /// - Parameters:
    ///   - email: the address that the person has typed last.
    ///   - buttons: those of the screen, with the providers that the person can choose.
    fileprivate func blocks(clock: (Date) -> String, email: String, buttons: [Command]) -> [ScreenBlock] {
        switch self {
        case .looking: [.text("Looking for an account.", .plain), .gap, .buttons(buttons)]
        case .login(let notice): noticeBlocks(notice) + Self.loginBlocks(email: email, buttons: buttons)
        case .form(let form): form.blocks
        case .loggingIn: [.text("Asking the account service.", .plain), .gap, .buttons(buttons)]
        case .offeringSaved(let email): Self.savedBlocks(email) + [.gap, .buttons(buttons)]
        case .offeringToSave(let email): Self.savingBlocks(email) + [.gap, .buttons(buttons)]
        case .confirmingUpgrade: Self.upgradeBlocks + [.gap, .buttons(buttons)]
        case .upgrading(_, isCancelling: true): [.text("Giving up the change.", .plain), .gap, .buttons(buttons)]
        case .upgrading(let instruction, isCancelling: false):
            instruction.blocks(clock: clock) + [.gap, .buttons(buttons)]
        case .waiting(_, isCancelling: true): [.text("Giving up the sign-in.", .plain), .gap, .buttons(buttons)]
        case .waiting(let instruction, isCancelling: false):
            instruction.blocks(clock: clock) + [.gap, .buttons(buttons)]
        case .result(let profile): profile.blocks + [.gap, .buttons(buttons)]
        case .signingOut: [.text("Signing out.", .plain), .gap, .buttons(buttons)]
        case .askingSessions: [.text("Asking for the sessions.", .plain), .gap, .buttons(buttons)]
        case .sessions(let rows): rows.blocks(clock: clock) + [.gap, .buttons(buttons)]
        case .confirmingDeletion: Self.deletionBlocks + [.gap, .buttons(buttons)]
        case .deleting(_, isCancelling: true):
            [.text("Giving up the deletion.", .plain), .gap, .buttons(buttons)]
        case .deleting(let instruction, isCancelling: false):
            (instruction == .wait ? [] : [.text("To delete the account, sign in once more.", .plain), .gap])
                + instruction.blocks(clock: clock) + [.gap, .buttons(buttons)]
        case .profile(let profile): profile.detailBlocks + [.gap, .buttons(buttons)]
        case .editing(let entry): [.entry(caption: entry.field.caption, entry.text)]
        case .askingProfile: [.text("Asking the account service.", .plain), .gap, .buttons(buttons)]
        case .consent(let reading): reading.blocks + [.gap, .buttons(buttons)]
        case .consents(let rows): rows.blocks(clock: clock) + [.gap, .buttons(buttons)]
        case .confirmingWithdrawal(let row, _): row.withdrawalBlocks + [.gap, .buttons(buttons)]
        case .askingWaysIn: [.text("Asking for your ways in.", .plain), .gap, .buttons(buttons)]
        case .waysIn(let ways): ways.blocks(clock: clock) + [.gap, .buttons(buttons)]
        case .confirmingRemoval(let way): way.removalBlocks(clock: clock) + [.gap, .buttons(buttons)]
        case .changingWaysIn(_, _, isCancelling: true):
            [.text("Giving up the change.", .plain), .gap, .buttons(buttons)]
        case .changingWaysIn(let change, let instruction, isCancelling: false):
            (instruction == .wait ? [] : change.blocks) + instruction.blocks(clock: clock) + [.gap, .buttons(buttons)]
        case .conflict(let handle): handle.blocks(clock: clock) + [.gap, .buttons(buttons)]
        case .confirmingMerge(let reading): reading.blocks + [.gap, .buttons(buttons)]
        }
    }

    private static var deletionBlocks: [ScreenBlock] {
        [
            .text("Delete your account?", .title), .gap,
            .text("It goes at once, on all your devices, and cannot be brought back. Apple is told.", .plain),
            .text("If you have not signed in just now, you are asked to, once more.", .note),
        ]
    }

    private func noticeBlocks(_ notice: LoginNotice?) -> [ScreenBlock] {
        guard let notice else { return [] }
        return [.text(notice.text, notice.kind == .problem ? .problem : .note), .gap]
    }
}

extension Instruction {
    fileprivate func blocks(clock: (Date) -> String) -> [ScreenBlock] {
        switch self {
        case .wait:
            [.text("Asking the account service.", .plain)]
        case .browser(let page, isOpen: true):
            [
                .text("Sign in in the browser, then come back.", .plain), .gap,
                .text("If no page has opened, open this one:", .plain), .address(page.absoluteString),
            ]
        case .browser(let page, isOpen: false):
            [.text("Open this page in a browser on this machine:", .plain), .address(page.absoluteString)]
        case .device(let code, let page, let expiresAt):
            [
                .text("Open this page on any device:", .plain), .address(page.absoluteString), .gap,
                .text("Type this code there:", .plain), .code(code), .gap,
                .text("It is good until \(clock(expiresAt)).", .note),
            ]
        }
    }
}

extension [SessionRow] {
    fileprivate func blocks(clock: (Date) -> String) -> [ScreenBlock] {
        let own = filter(\.isCurrent).map { ScreenBlock.value(caption: "This device", $0.words(clock: clock)) }
        let others = others.map { other in
            ScreenBlock.value(
                caption: "\(other.row.isBrowser ? "Browser" : "Device") \(other.number)", other.row.words(clock: clock))
        }
        let hidden = count - own.count - others.count
        return own + others + (hidden > 0 ? [.text("There are \(hidden) more.", .note)] : [])
    }
}

extension SessionRow {
    fileprivate func words(clock: (Date) -> String) -> String {
        (deviceName ?? "without a name") + (signInAddress.map { ", from \($0)" } ?? "") + ", used last at "
            + clock(lastUsedAt)
    }
}

extension AppleState {
    fileprivate var words: String {
        switch self {
        case .authorized: "in use"
        case .transferred: "in use, and the app has moved to another team: sign in again"
        case .ended: "no longer in use"
        }
    }
}

extension Profile {
    fileprivate var blocks: [ScreenBlock] {
        [
            .value(caption: "User Identifier", userIdentifier),
            .value(caption: "Given Name", givenName),
            .value(caption: "Family Name", familyName),
            .value(caption: "Email", email),
        ]
            + (hasAppleAccount && !signsInByEmail ? [.value(caption: "Apple Account", appleState?.words)] : [])
            + [.gap, .text(aboutSignIn, .note)]
            + (isPrivateEmail ? [.text(Self.aboutPrivateEmail, .note)] : [])
            + (isConfirmed ? [] : [.text(Self.aboutNoAnswer, .problem)])
    }

    private var aboutSignIn: String {
        if signsInByEmail { return hasPassword ? Self.aboutPassword : Self.aboutLinks }
        guard hasAppleAccount else { return Self.aboutProvider }
        return givenName == nil && familyName == nil ? Self.aboutNoName : Self.aboutNames
    }

    private static let aboutPassword = "You sign in with this address and your password."
    private static let aboutLinks = "You sign in with links that are sent to this address."
    private static let aboutProvider = "You sign in with an account at another provider."
    private static let aboutNames = "Apple gives a name once, at the first sign-in. The account keeps it."
    private static let aboutNoName = "Apple gives a name once, at the first sign-in. None came with it."
    static let aboutNoAnswer = "The account service does not answer. This is what it said last."
    private static let aboutPrivateEmail = "The address is Apple's, which forwards mail to the real one."
}
