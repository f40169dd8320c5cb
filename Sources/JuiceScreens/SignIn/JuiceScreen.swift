public import AccountClient
import Foundation

/// The screen that Juice shows.
public enum JuiceScreen: Hashable, Sendable {
    /// Juice has started, and looks for an account.
    case looking
    case login(LoginNotice?)
    case waiting(Instruction, isCancelling: Bool)
    case result(Profile)
    case signingOut
    /// The account service is asked for the sessions, or to end some.
    case askingSessions
    case sessions([SessionRow])
    /// Asks once more, and says what goes.
    case confirmingDeletion
    /// The person may have to sign in once more.
    case deleting(Instruction, isCancelling: Bool)
    /// The values that the person can change.
    case profile(Profile)
    /// The person types a value.
    case editing(ProfileEntry)
    /// The account service is asked to change the profile, or for the consents.
    case askingProfile
    /// The person reads a text, and says whether they agree.
    case consent(ConsentReading)
    case consents([ConsentRow])
    /// Asks once more, and says what goes.
    case confirmingWithdrawal(ConsentRow, of: [ConsentRow])
    /// The person types an address, a password or a link.
    case form(LoginForm)
    /// The account service is asked about what the person has typed.
    case loggingIn
    /// Asks whether to sign in with the password that this device keeps.
    case offeringSaved(email: String)
    /// Asks whether this device keeps the password.
    case offeringToSave(email: String)
    /// Asks what becomes of the sessions elsewhere.
    case confirmingUpgrade(password: TypedText?)
    /// The person signs in with Apple, in place of their password.
    case upgrading(Instruction, isCancelling: Bool)
    /// The account service is asked for the ways in.
    case askingWaysIn
    case waysIn([WayIn])
    /// Asks once more, and says what goes.
    case confirmingRemoval(WayIn)
    /// The account service is asked to change the ways in. The person may have to sign in.
    case changingWaysIn(WaysInChange, Instruction, isCancelling: Bool)
    /// Asks whether to go to the other account of an Apple Account.
    case conflict(SignInHandle)
    /// Asks whether two accounts become one, and says what that does.
    case confirmingMerge(MergeReading)

    /// The buttons where no provider is offered beside Apple.
    var buttons: [Command] { buttons(offering: []) }

    /// The buttons, in the order of the Tab key.
    /// - Parameter providers: those beside Apple that the person can choose.
    func buttons(offering providers: [OfferedProvider]) -> [Command] {
        switch self {
        case .looking, .signingOut, .askingSessions, .askingProfile, .loggingIn, .askingWaysIn: [.quit]
        case .login(let notice):
            [.logIn, .createAccount, .forgotPassword, .emailLink, .openLink, .signIn]
                + providers.enumerated().map { .signInAt($0.offset, $0.element) }
                + (notice?.canLookAgain == true ? [.lookAgain, .quit] : [.quit])
        case .waiting(_, let isCancelling), .deleting(_, let isCancelling), .upgrading(_, let isCancelling),
            .changingWaysIn(_, _, let isCancelling):
            isCancelling ? [.quit] : [.cancel, .quit]
        case .result(let profile):
            [.signOut, .sessions, .profile, .waysIn] + (profile.signsInByEmail ? [.upgrade] : []) + [.delete, .quit]
        case .sessions(let rows): rows.endings + [.back, .quit]
        case .confirmingDeletion: [.confirmDeletion, .back, .quit]
        case .profile(let profile):
            [.editName, .editContactEmail, .editPhone] + (profile.hasPassword ? [.changePassword] : [])
                + [.consents, .back, .quit]
        // Letters are text there.
        case .editing, .form: []
        case .offeringSaved: [.useSaved, .useOther, .quit]
        case .offeringToSave: [.savePassword, .dontSave, .quit]
        case .confirmingUpgrade: [.endElsewhere, .keepElsewhere, .back, .quit]
        case .consent(let reading): [reading.isAtEnd ? .agree : .more, .disagree, .quit]
        case .consents(let rows): rows.inForce.map { .withdraw($0.number) } + [.back, .quit]
        case .confirmingWithdrawal: [.confirmWithdrawal, .back, .quit]
        case .waysIn(let ways):
            ways.additions + providers.enumerated().map { .addAt($0.offset, $0.element) } + ways.removals
                + [.back, .quit]
        case .confirmingRemoval: [.confirmRemoval, .back, .quit]
        case .conflict: [.goOver, .merge, .stay, .quit]
        case .confirmingMerge: [.confirmMerge, .keepBoth, .quit]
        }
    }

    /// The button that Return presses before anything was chosen. If the person could have pressed Return for the
    /// screen before this one, there is none.
    var firstFocus: Command? {
        if case .login = self { .signIn } else { nil }
    }

    /// Whether Juice works without the person here: what they type is for the screen that comes.
    var isBusy: Bool {
        switch self {
        case .looking, .signingOut, .askingSessions, .askingProfile, .loggingIn, .askingWaysIn: true
        case .login, .waiting, .result, .sessions, .confirmingDeletion, .deleting: false
        case .profile, .editing, .consent, .consents, .confirmingWithdrawal: false
        case .form, .offeringSaved, .offeringToSave, .confirmingUpgrade, .upgrading: false
        case .waysIn, .confirmingRemoval, .changingWaysIn, .conflict, .confirmingMerge: false
        }
    }

    /// Whether the person is asked at Apple, which can be given up.
    var isAskingPerson: Bool {
        switch self {
        case .waiting, .deleting, .upgrading, .changingWaysIn: true
        default: false
        }
    }

    /// Whether somebody is signed in, and no work is under way that reports the end of the session itself.
    var isSignedIn: Bool {
        switch self {
        case .result, .askingSessions, .sessions, .confirmingDeletion: true
        case .profile, .editing, .askingProfile, .consent, .consents, .confirmingWithdrawal: true
        case .offeringToSave, .confirmingUpgrade: true
        case .askingWaysIn, .waysIn, .confirmingRemoval, .conflict, .confirmingMerge: true
        case .form(let form): form.purpose.isSignedIn
        case .looking, .login, .waiting, .signingOut, .deleting, .upgrading, .changingWaysIn: false
        case .loggingIn, .offeringSaved: false
        }
    }
}

extension [SessionRow] {
    /// The sessions that can be ended from the list, with their numbers. There are nine keys for them.
    public var others: [(number: Int, row: SessionRow)] {
        filter { !$0.isCurrent }.prefix(9).enumerated().map { (number: $0.offset + 1, row: $0.element) }
    }

    fileprivate var endings: [Command] {
        let others = others
        return others.map { .end($0.number) } + (others.isEmpty ? [] : [.endOthers])
    }
}

/// The part of an account that the result screen shows.
public struct Profile: Hashable, Sendable {
    /// Apple's identifier of the person, the same at every sign-in. For a person who signs in without Apple it is the
    /// account's.
    public internal(set) var userIdentifier: String
    /// The given name; nil when the account has none.
    public internal(set) var givenName: String?
    /// The family name; nil when the account has none.
    public internal(set) var familyName: String?
    /// The address of Apple or of the sign-in; nil when the account has none.
    public internal(set) var email: String?
    /// Whether the address is Apple's relay for somebody who hides their own.
    public internal(set) var isPrivateEmail = false
    /// The address for mail that the person has typed and confirmed.
    public internal(set) var contactEmail: String?
    /// The address that waits for the person to open the link in a mail.
    public internal(set) var pendingContactEmail: String?
    /// The phone number, which isn't verified.
    public internal(set) var phone: String?
    /// Whether the person signs in with an address, and not with Apple.
    public internal(set) var signsInByEmail = false
    /// Whether an Apple Account opens the account. If it has neither that nor an address to sign in with, the person signs in
    /// with another provider.
    public internal(set) var hasAppleAccount = true
    /// Whether the account has a password.
    public internal(set) var hasPassword = false
    /// Whether the account service has said so since Juice was started; else it is what it said last time.
    public internal(set) var isConfirmed = true
    /// The state of the person's Apple Account; nil while it is not known.
    public internal(set) var appleState: AppleState?
}

/// Whether the person still uses Juice with their Apple Account.
public enum AppleState: Hashable, Sendable {
    case authorized
    /// The app has moved to another team of developers; the account stays.
    case transferred
    /// They had it revoked themselves, or their session is about to end.
    case ended
}

/// A place where the person is signed in, as the list shows it.
public struct SessionRow: Hashable, Sendable {
    /// The identifier at the account service.
    public internal(set) var id: String
    /// Whether it is the session of this device.
    public internal(set) var isCurrent: Bool
    /// Whether it is a browser's.
    public internal(set) var isBrowser: Bool
    /// The device's name; nil if the service doesn't know it.
    public internal(set) var deviceName: String?
    /// The address that the session was opened from; nil if the service doesn't know it.
    public internal(set) var signInAddress: String?
    /// The time at which the session was used last.
    public internal(set) var lastUsedAt: Date
}
