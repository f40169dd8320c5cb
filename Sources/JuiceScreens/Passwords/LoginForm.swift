public import AccountClient

/// A form that the person fills in, one field after the other.
public struct LoginForm: Hashable, Sendable {
    /// The thing that the form is for.
    public enum Purpose: Hashable, Sendable {
        case logIn, createAccount, forgottenPassword, emailLink
        /// The person types the link from a mail.
        case openLink
        case completeSignUp(EmailLink)
        /// As ``completeSignUp(_:)``, for a person who doesn't know the password of the sign-up.
        case completeSignUpAnew(EmailLink)
        case signInByLink(EmailLink)
        case newPassword(EmailLink)
        case changePassword, upgrade, deleteAccount
        /// The person adds an address to sign in with.
        case addAddress
        /// The person types the link that adds the address.
        case finishAddress
        /// The person proves that they are there, before a change of their ways in.
        case proof(WaysInChange)
    }

    /// A value that the person types.
    public enum Field: Hashable, Sendable {
        case email, password, newPassword, link
    }

    /// The thing that the form is for.
    public let purpose: Purpose
    private var texts: [Field: TypedText] = [:]
    private var index = 0

    /// - Parameter email: the address that the person has typed before.
    init(_ purpose: Purpose, email: String = "") {
        self.purpose = purpose
        if purpose.fields.contains(.email) { texts[.email] = TypedText(email) }
    }

    /// The field that is typed, where the fields come one after the other.
    package var field: Field { purpose.fields[index] }

    /// The fields before ``field``.
    var done: ArraySlice<Field> { purpose.fields.prefix(index) }

    var isAtEnd: Bool { index == purpose.fields.count - 1 }

    /// The text of a field; empty if the person has typed none.
    public subscript(field: Field) -> String {
        get { texts[field]?.text ?? "" }
        set { texts[field] = TypedText(newValue) }
    }

    mutating func goOn() {
        if !isAtEnd { index += 1 }
    }

    mutating func goBack() {
        if index > 0 { index -= 1 }
    }
}

/// A text that the person has typed, which may be a password. Its description doesn't show it.
public struct TypedText: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The maximum number of characters: more than an address, a password or a link has.
    private static let maximumLength = 512

    /// The text itself.
    public private(set) var text: String

    /// Takes a text, and cuts it if it is too long for an address, a password or a link.
    public init(_ text: String) {
        self.text = String(text.prefix(Self.maximumLength))
    }

    /// Tells nothing of the text.
    public var description: String { "TypedText" }
    /// Tells nothing of the text.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension LoginForm.Purpose {
    /// The fields, in their order.
    public var fields: [LoginForm.Field] {
        switch self {
        case .logIn: [.email, .password]
        case .createAccount, .addAddress, .completeSignUpAnew: [.email, .newPassword]
        case .forgottenPassword, .emailLink, .signInByLink: [.email]
        case .openLink, .finishAddress: [.link]
        case .completeSignUp, .proof: [.password]
        case .newPassword: [.newPassword]
        case .changePassword: [.password, .newPassword]
        case .upgrade, .deleteAccount: [.password]
        }
    }

    /// Whether somebody is signed in who fills the form in.
    var isSignedIn: Bool {
        switch self {
        case .changePassword, .upgrade, .deleteAccount, .addAddress, .finishAddress, .proof: true
        case .logIn, .createAccount, .forgottenPassword, .emailLink, .openLink: false
        case .completeSignUp, .completeSignUpAnew, .signInByLink, .newPassword: false
        }
    }

    /// The heading of the form.
    public var title: String {
        switch self {
        case .logIn: "Log in"
        case .createAccount: "Create an account"
        case .forgottenPassword: "Forgotten password"
        case .emailLink: "A link that signs you in"
        case .openLink, .finishAddress: "The link from the mail"
        case .completeSignUp, .completeSignUpAnew: "Complete the account"
        case .signInByLink: "Log in by the link"
        case .newPassword: "Set a new password"
        case .changePassword: "Change the password"
        case .upgrade: "Use Sign in with Apple"
        case .deleteAccount: "Delete your account"
        case .addAddress: "Add an email address"
        case .proof: "Your password"
        }
    }

    /// A sentence that explains the form; nil if its heading is enough.
    public var explanation: String? {
        switch self {
        case .logIn, .changePassword, .newPassword: nil
        case .createAccount, .forgottenPassword, .emailLink, .addAddress: "A link is sent to the address."
        case .openLink: "You can also open it in a browser."
        case .completeSignUp: "Type the password of the sign-up. Without it, leave this empty and choose another."
        case .completeSignUpAnew: "Type the address to which the link was sent, and choose a password."
        case .signInByLink: "Type the address to which the link was sent."
        case .upgrade: "Type your password, then sign in with Apple. Your password goes, and your account stays."
        case .deleteAccount: "To delete the account, type your password once more."
        case .finishAddress: "It works in this session alone."
        case .proof: "To change your ways in, type your password once more."
        }
    }
}

extension LoginForm.Field {
    /// The words beside the field.
    public var caption: String {
        switch self {
        case .email: "Email"
        case .password: "Password"
        case .newPassword: "New Password"
        case .link: "Link"
        }
    }

    /// Whether the screen hides what the person types.
    public var isSecret: Bool {
        switch self {
        case .password, .newPassword: true
        case .email, .link: false
        }
    }
}

extension LoginForm {
    var blocks: [ScreenBlock] {
        [.text(purpose.title, .title), .gap]
            + done.map { field in
                field.isSecret
                    ? .secret(caption: field.caption, count: self[field].count)
                    : .value(caption: field.caption, self[field])
            }
            + [.formEntry(caption: field.caption, self[field], isSecret: field.isSecret)]
            + (purpose.explanation.map { [.text($0, .note)] } ?? [])
    }
}
