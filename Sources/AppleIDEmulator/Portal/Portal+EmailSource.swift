extension Portal {
    /// A domain or a single address that a team sends mail to relay addresses from.
    public struct EmailSource: Hashable, Sendable, Codable {
        /// What a receiver of mail finds in the DNS. The emulator asks no name server; it is told.
        public enum Check: String, Hashable, Sendable, Codable {
            /// The record is there, and mail that the team sends is in keeping with it.
            case pass
            /// It is there, and the mail is not.
            case fail
            /// It is not there.
            case none
        }

        /// `example.com`, or `news@example.com`. A domain stands for itself alone, not for those below it.
        public var source: String
        /// Whether SPF passes for mail with this envelope sender; nil: it does.
        public var spf: Check?
        /// Whether DKIM passes for mail that carries a signature of this domain; nil: it does.
        public var dkim: Check?
        /// Where the domain's web server is reached, `https://mail.example.com`, with Apple's association file; nil:
        /// the file is not asked for. `http` by the rule for notifications: ``Portal/plainNotificationHosts``.
        public var webServer: String?
        /// Whether the verify step was passed, without which mail is refused. Nil: no.
        public var verified: Bool?

        public init(
            source: String, spf: Check? = nil, dkim: Check? = nil, webServer: String? = nil, verified: Bool? = nil
        ) {
            self.source = source
            self.spf = spf
            self.dkim = dkim
            self.webServer = webServer
            self.verified = verified
        }
    }
}
