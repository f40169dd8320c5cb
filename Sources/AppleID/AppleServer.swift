/// Whose server is spoken to: Apple's, or an emulator of it.
///
/// The endpoints belong together and cannot be set one by one, so that no configuration sends one half of a sign-in
/// elsewhere.
public struct AppleServer: Hashable, Sendable {
    /// `apple`, or the emulator's URL.
    public let name: String
    /// Where browsers are sent; ``AppleIDClient/authorizationURL(for:)`` adds the query.
    public let authorizationURL: String
    /// Where codes are exchanged, refresh tokens validated and migration tokens handed out.
    public let tokenURL: String
    /// Where refresh and access tokens are revoked.
    public let revocationURL: String
    /// Where both sides of a transfer between teams ask who is who.
    public let migrationURL: String
    /// Where the public keys are.
    public let keysURL: String

    /// The `iss` of every token and the `aud` of every client secret, an emulator's included.
    ///
    /// A constant, not read from discovery: in June 2025 the discovery document named another issuer for a while.
    public var issuer: String { "https://appleid.apple.com" }

    /// The real one.
    public static let apple = Self(name: "apple", base: "https://appleid.apple.com")

    /// An emulator of Apple's server.
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
