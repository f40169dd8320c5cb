import AppleID
public import AppleIDTypes
import Logging

/// Signs people in by e-mail address: with a password, or with a one-time link in a mail.
///
/// No account exists before its person has proven the address: a sign-up waits in a link that is sent there. Requests for
/// links get the same answer for every address, and the work is done after it. ``Links`` adds an Apple Account to such an
/// account, and ``Upgrades`` puts one in the place of the address.
public struct Passwords: Sendable {
    /// The rules for new passwords.
    public let rules: PasswordRules

    let configuration: AccountConfiguration
    let cost: PasswordCost
    let hasher: PasswordHasher
    let store: AccountTransactions
    let seal: Seal
    let linkSeal: Seal
    let sessions: Sessions
    let finishing: FinishingWork
    let mail: MailWriter
    let environment: AppleIDEnvironment
    let logger: Logger
    /// Keeps the log from an error for each guess at a password whose seal can't be opened.
    let unopenedSeal = FirstTime()

    var forms: EmailFormHashes { mail.forms }
    var now: Timestamp { Timestamp(environment.now()) }

    init(
        _ settings: PasswordSettings, serviceName: String?, configuration: AccountConfiguration, keyRing: KeyRingInUse,
        sessions: Sessions, finishing: FinishingWork, mail: MailWriter
    ) {
        environment = sessions.environment
        logger = sessions.logger
        store = sessions.store
        rules = PasswordRules(
            minimumLength: settings.minimumLength, serviceName: serviceName, host: configuration.publicURL.host)
        self.configuration = configuration
        cost = settings.cost
        hasher = PasswordHasher(settings, randomBytes: environment.randomBytes)
        seal = Seal(.password, keyRing: keyRing)
        linkSeal = Seal(.emailLink, keyRing: keyRing)
        self.sessions = sessions
        self.finishing = finishing
        self.mail = mail
        guard hasher.threads < settings.hashers else { return }
        logger.info(
            "Fewer passwords are hashed at once than the setting allows, because at most half of the cores hash.",
            metadata: ["hashers": "\(hasher.threads)"])
    }

    /// Makes the name of a browser that has none, for its cookie. A link that the browser asks for is known by it.
    public func newBrowser() -> BrowserSecret { BrowserSecret(randomness: environment.randomBytes(32)) }

    /// Reads an address that a person typed, and its look-up form.
    func address(_ text: String) throws(AccountError) -> (EmailAddress, EmailForm) {
        let address = try EmailAddress(text, field: "email")
        return (address, try EmailForm(address))
    }

    /// Prepares all that a sign-in by an email identity writes.
    func record(
        of form: EmailForm, address: String?, session: RequestedSession, at moment: Timestamp, from caller: Caller
    ) throws(AccountError) -> (SignInRecord, SessionSecret) {
        let client = try client(of: session)
        let prepared =
            switch session {
            case .tokens:
                sessions.prepare(.tokens, clientID: client, authenticatedAt: moment, at: moment)
            case .browser(let browser, _):
                sessions.prepare(
                    .browser, clientID: client, browserHash: browser.hash, authenticatedAt: moment, at: moment)
            }
        var former: SessionID?
        if case .browser(_, let session) = session { former = session }
        var record = SignInRecord(
            of: SignInRecord.Person(form, address: address), session: prepared.record, formerSession: former,
            at: moment, from: caller, mail: mail, environment: environment)
        if address != nil {
            record.twoAccountsMail = TwoAccountsMail(writer: mail, at: moment, languages: caller.languages)
        }
        return (record, prepared.secret)
    }

    /// The client of a new session: the given one, else the Services ID, else the host of the service.
    func client(of session: RequestedSession) throws(AccountError) -> ClientID {
        guard case .tokens(let client?) = session else {
            return configuration.webClient ?? ClientID(configuration.publicURL.host)
        }
        guard configuration.nativeClients.contains(client) else {
            throw AccountError(.requestInvalid, "this client is not configured", field: "clientID")
        }
        return client
    }

    /// The answer to an app that opened a session. Notifies the accounts that the sign-in concerns.
    func tokens(of opened: OpenedSession) throws -> TokenSignIn {
        try sessions.answer(to: opened.outcome, secret: opened.secret)
    }

    /// The answer to a browser that opened a session. Notifies the accounts that the sign-in concerns.
    func cookie(of opened: OpenedSession) -> WebSignIn {
        sessions.answer(to: opened.outcome, secret: opened.secret, returnPath: opened.returnPath)
    }
}

/// The session that a password or a link is to open.
enum RequestedSession: Sendable {
    /// Tokens for an app, of a configured client; nil takes the Services ID, or the host of the service.
    case tokens(client: ClientID?)
    /// A cookie for a browser. The session that the browser has ends.
    case browser(BrowserSecret, former: SessionID?)
}

/// A session that a password or a link has opened, with the secret that only its answer has.
struct OpenedSession: Sendable {
    let outcome: SignInOutcome
    let secret: SessionSecret
    /// The path to which a browser goes.
    var returnPath = ReturnPath.account
}

/// The password with which a person finishes a sign-up.
public enum PasswordAtLink: Sendable, Redacted {
    /// The password of the sign-up once more. It proves that the person who opens the link is the one who signed up.
    case repeated(Password)
    /// A new password. The password of the sign-up and its name are dropped, because somebody else may have typed them.
    case new(Password)
}
