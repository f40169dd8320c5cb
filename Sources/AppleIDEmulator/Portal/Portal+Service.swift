public import AppleIDTypes

extension Portal {
    /// A Services ID: the client of sign-ins on the web.
    public struct Service: Hashable, Sendable, Codable {
        public var id: ClientID
        /// Registered beside the return URLs, as Apple's portal has them. Strict, a return URL must be at one of them.
        public var domains: [String]
        /// Those of ``domains`` at which the association file was found. It matters with the quirk
        /// ``EmulatorConfiguration/Quirk/webDomainsNeedVerification``. Nil: none.
        public var verifiedDomains: [String]?
        /// A request's `redirect_uri` must be one of them, byte for byte.
        public var returnURLs: [String]

        public init(id: ClientID, domains: [String], returnURLs: [String], verifiedDomains: [String]? = nil) {
            self.id = id
            self.domains = domains
            self.returnURLs = returnURLs
            self.verifiedDomains = verifiedDomains
        }
    }
}
