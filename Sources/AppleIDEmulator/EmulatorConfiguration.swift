/// What a run of the emulator is told from outside. Everything has a default that works on one machine.
public struct EmulatorConfiguration: Sendable {
    /// Where clients reach the emulator: `http` or `https`, host, and port where it is not the scheme's own; no path.
    ///
    /// Discovery's endpoint addresses begin with it, and the sheet is served under its host.
    public var baseURL: String

    /// `iss` of every token, and `issuer` in discovery.
    ///
    /// Apple's own by default, because clients have that one built in.
    public var issuer: String

    /// Applies Apple's rules for redirect URIs to the letter: `https` only, no IP address, no `localhost`.
    ///
    /// Off, `http` is let through as well for `localhost`, `127.0.0.1` and `[::1]`, so that local work is possible.
    public var strictURLs: Bool

    /// What the seeded Services ID may be redirected to. A portal handed to the emulator brings its own.
    public var returnURLs: [String]

    /// Where notifications of the seeded app go; nil: nowhere. A portal handed to the emulator brings its own.
    public var notificationURL: String?

    /// A JSON file that survives restarts: portal, keys, grants and refresh tokens, private keys included.
    ///
    /// Written whole, atomically, readable by its owner alone, before the change it holds is answered. Without a file
    /// all is forgotten at the end, and each start makes new keys.
    public var stateFile: String?

    /// The token for control calls, sent as `Authorization: Bearer …`. It works from any machine and under any `Host`.
    /// Settings and inboxes take it as the password of HTTP Basic.
    ///
    /// Without it they answer only while the emulator listens on a loopback address, and only to requests from this
    /// machine whose `Host` is a loopback address and that no proxy has marked as forwarded. A proxy that marks nothing
    /// and rewrites `Host` opens them to everybody, so configure a token before you put a proxy in front.
    public var controlToken: String?

    /// Hosts under which the sheet is served, beside the base URL's and loopback names. Names without scheme and port.
    ///
    /// Under any other `Host` the sheet is refused, so that a page cannot finish a sign-in under a name that was re-bound
    /// to this machine.
    public var allowedHosts: [String]

    /// Puts the password step and the two-factor step before the sheet and before a person's settings.
    ///
    /// Any password does unless the portal declares one for the person, and any six digits. Off, people are taken at
    /// their word, which keeps tests and demonstrations short.
    public var asksPassword: Bool

    /// PEM: the root of the certificate that the server presents, the emulator's or one beside it, shown at
    /// `/emulator-root.pem` for clients that are to trust it. Nil, or where there is no TLS: there is nothing at that
    /// address.
    public var rootCertificate: String?

    /// The port of the mail server for relay addresses, on the emulator's own host; 0: the system chooses
    /// (``Emulator/mailPort``). Nil: there is none.
    public var mailPort: Int?

    /// What is on at the start; `POST /emulator/quirks` changes it. Not kept in the state file.
    public var quirks: Set<Quirk>

    /// How many connections the server has open at most. Nil for as many as the process may have open files, less 128,
    /// and 10,000 at most; the system's limit always goes first.
    public var maximumConnections: Int?

    /// How many of them one address may have. Nil for a quarter of all; 0 for any number.
    public var maximumConnectionsPerAddress: Int?

    /// A PEM RSA key to sign with instead of fresh ones, for tests that start many emulators in one process.
    package var signingKey: String?

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
        allowedHosts: [String] = [],
        quirks: Set<Quirk> = []
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
        self.quirks = quirks
    }
}
