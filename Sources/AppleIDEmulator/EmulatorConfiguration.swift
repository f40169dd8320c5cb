/// The settings of an emulator. Every setting has a default that works on one machine.
public struct EmulatorConfiguration: Sendable {
    /// The URL at which clients reach the emulator: `http` or `https`, a host, and a port unless it is the scheme's
    /// own. It has no path.
    ///
    /// The endpoints in discovery begin with it, and the emulator serves the sheet under its host.
    public var baseURL: String

    /// The issuer: `iss` of every token, and `issuer` in discovery.
    ///
    /// It is Apple's own by default, because clients have that one built in.
    public var issuer: String

    /// Applies Apple's rules for redirect URIs to the letter: `https` only, no IP address, no `localhost`.
    ///
    /// If false, `http` passes for `localhost`, `127.0.0.1` and `[::1]`, so that local work is possible.
    public var strictURLs: Bool

    /// The return URLs of the seeded Services ID. They don't apply to a portal that you pass to the emulator.
    public var returnURLs: [String]

    /// The notification URL of the seeded app; nil for none. It doesn't apply to a portal that you pass to the
    /// emulator.
    public var notificationURL: String?

    /// The path of a JSON file that keeps portal, keys, grants and refresh tokens over restarts, private keys included.
    ///
    /// The emulator replaces the file as a whole before it answers the request that changed something. Only its owner
    /// can read it. Without a file the emulator forgets everything at the end, and each start makes new keys.
    public var stateFile: String?

    /// The token for control calls, which clients send as `Authorization: Bearer …`. It works from any machine and
    /// under any `Host`. The pages of settings and inboxes take it as the password of HTTP Basic.
    ///
    /// Without a token, control calls work only while the emulator listens on a loopback address, and only for requests
    /// from this machine whose `Host` is a loopback address and that no proxy has marked as forwarded. A proxy that
    /// marks nothing and rewrites `Host` opens them to everybody, so configure a token before you put a proxy in front.
    public var controlToken: String?

    /// The hosts under which the emulator serves the sheet, beside the base URL's host and loopback names. They are
    /// names without scheme and port.
    ///
    /// Under any other `Host` the emulator refuses the sheet, so that a page cannot finish a sign-in under a name that
    /// was re-bound to this machine.
    public var allowedHosts: [String]

    /// Puts the password step and the two-factor step before the sheet and before a person's settings.
    ///
    /// The emulator accepts any password unless the portal declares one for the person, and any six digits. If false,
    /// it asks for neither, which keeps tests and demonstrations short.
    public var asksPassword: Bool

    /// The root certificate, as PEM, that clients must trust. The emulator shows it at `/emulator-root.pem`. Nil if
    /// there is no TLS.
    public var rootCertificate: String?

    /// The port of the mail server for relay addresses, on the emulator's own host. With 0 the system chooses, and
    /// ``Emulator/mailPort`` says which. Nil for no mail server.
    public var mailPort: Int?

    /// Whether the mail server also takes mail to addresses that nobody in the portal has, and shows it on the page
    /// `/mail/others`.
    ///
    /// If false, it refuses such mail as a relay does. `siwa demo` sets it, so that somebody can sign up with an
    /// address of their own and read the mail. No mail ever leaves the emulator.
    public var takesMailForOthers = false

    /// The emulator's behavior wherever Apple leaves it open. Control calls change it while the emulator runs. The
    /// state file doesn't keep it.
    public var behaviour = Behaviour()

    /// The largest number of open connections. Nil for the number of files that the process may open, less 128, and
    /// 10,000 at most. The system's limit always applies.
    public var maximumConnections: Int?

    /// The largest number of open connections of one address. Nil for a quarter of ``maximumConnections``; 0 for any
    /// number.
    public var maximumConnectionsPerAddress: Int?

    /// A PEM RSA key to sign with instead of fresh ones, for tests that start many emulators in one process.
    package var signingKey: String?

    /// Creates a configuration. Set the properties that have no parameter here afterwards.
    public init(
        baseURL: String = "http://127.0.0.1:4010",
        issuer: String = "https://appleid.apple.com",
        strictURLs: Bool = false,
        returnURLs: [String] = ["http://localhost:4000/sign-in/apple/callback"],
        notificationURL: String? = nil,
        stateFile: String? = nil,
        controlToken: String? = nil,
        asksPassword: Bool = false,
        rootCertificate: String? = nil,
        mailPort: Int? = nil,
        allowedHosts: [String] = []
    ) {
        self.baseURL = baseURL
        self.issuer = issuer
        self.strictURLs = strictURLs
        self.returnURLs = returnURLs
        self.notificationURL = notificationURL
        self.stateFile = stateFile
        self.controlToken = controlToken
        self.asksPassword = asksPassword
        self.rootCertificate = rootCertificate
        self.mailPort = mailPort
        self.allowedHosts = allowedHosts
    }
}
