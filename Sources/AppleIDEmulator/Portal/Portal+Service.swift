public import AppleIDTypes

extension Portal {
    /// A Services ID: the client of sign-ins on the web.
    public struct Service: Hashable, Sendable, Codable {
        public var id: ClientID
        /// Registered beside the return URLs, as Apple's portal has them; not looked at by any rule yet.
        public var domains: [String]
        /// A request's `redirect_uri` must be one of them, byte for byte.
        public var returnURLs: [String]

        public init(id: ClientID, domains: [String], returnURLs: [String]) {
            self.id = id
            self.domains = domains
            self.returnURLs = returnURLs
        }
    }
}
