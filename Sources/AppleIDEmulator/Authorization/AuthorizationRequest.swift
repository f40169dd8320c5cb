import AppleIDTypes

/// An authorization request that may be shown to a person. Only ``AuthorizationRules`` makes one.
struct AuthorizationRequest: Sendable {
    /// Where the answer goes.
    enum Destination: Sendable, Equatable {
        case redirect(WebAddress, Mode)
        /// To the app on the device that asked.
        case device
    }

    let client: Registry.Client
    let destination: Destination
    let responseType: ResponseType
    let scopes: Set<Scope>
    let state: String?
    let nonce: String?
    /// The S256 challenge, when the client uses PKCE.
    let codeChallenge: String?
    /// What Apple thinks of the person; told to devices, the first time.
    var realUserStatus = RealUserStatus.likelyReal

    var redirectURI: String? {
        guard case .redirect(let address, _) = destination else { return nil }
        return address.text
    }
}
