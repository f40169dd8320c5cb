import AppleIDTransport

/// The server that a client speaks to: Apple's, or an emulator of it.
///
/// The endpoints belong together and cannot be set one by one, so that no configuration sends one half of a sign-in
/// elsewhere.
public struct AppleServer: Hashable, Sendable {
    /// The server's name: `apple`, or the emulator's URL.
    public let name: String
    /// The page that browsers are sent to. ``AppleIDClient/authorizationURL(for:)`` adds the query.
    public let authorizationURL: String
    /// The endpoint that exchanges codes, validates refresh tokens and hands out migration tokens.
    public let tokenURL: String
    /// The endpoint that revokes refresh and access tokens.
    public let revocationURL: String
    /// The endpoint that both sides of a transfer between teams ask about people.
    public let migrationURL: String
    /// The address of the public keys.
    public let keysURL: String

    /// The issuers whose tokens verifiers of this server accept: ``AcceptedIssuers/apple``, unless
    /// ``accepting(_:)`` says otherwise.
    public private(set) var acceptedIssuers = AcceptedIssuers.apple

    /// The `iss` of every token and the `aud` of every client secret, an emulator's included.
    ///
    /// A constant, not read from discovery: in June 2025 the discovery document named another issuer for a while.
    public var issuer: String { Self.issuerOfAll }

    fileprivate static let issuerOfAll = "https://appleid.apple.com"

    /// Apple's own server.
    public static let apple = Self(name: "apple", base: "https://appleid.apple.com")

    /// Whether the server is Apple's own, whichever issuers are accepted.
    package var isApple: Bool { name == Self.apple.name }

    /// Returns the same server with other accepted issuers.
    public func accepting(_ issuers: AcceptedIssuers) -> Self {
        var server = self
        server.acceptedIssuers = issuers
        return server
    }

    /// Returns an emulator of Apple's server.
    /// - Parameter url: scheme, host and port only: `https` to anywhere, or `http` to a loopback address.
    /// - Throws: ``AppleIDError/Code/invalidServerURL``.
    public static func emulator(at url: String) throws(AppleIDError) -> Self {
        let origin = url.hasSuffix("/") ? String(url.dropLast()) : url
        guard ServerOrigin(origin)?.isAcceptable == true else {
            throw AppleIDError(
                .invalidServerURL,
                "an emulator's URL has a scheme, a host and perhaps a port, and is https unless the host is loopback")
        }
        return Self(name: origin, base: origin)
    }

    private init(name: String, base: String) {
        self.name = name
        authorizationURL = base + "/auth/authorize"
        tokenURL = base + "/auth/token"
        revocationURL = base + "/auth/revoke"
        migrationURL = base + "/auth/usermigrationinfo"
        keysURL = base + "/auth/keys"
    }
}

/// The issuers (`iss`) whose tokens are accepted. The issuer that all of Apple's tokens carry is always among them.
public struct AcceptedIssuers: Hashable, Sendable {
    let names: [String]

    /// The issuer `https://appleid.apple.com` alone, which every token seen so far carries.
    public static let apple = Self(names: [AppleServer.issuerOfAll])

    /// The issuers `https://appleid.apple.com` and `https://account.apple.com`.
    ///
    /// Apple's discovery document named the second in June 2025 for a while. No token has been seen with it; this is
    /// here for the day when one is.
    public static let appleAndAccount = Self(names: [AppleServer.issuerOfAll, "https://account.apple.com"])
}
