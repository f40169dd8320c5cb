public import AppleIDTypes
import StrictJWS

/// A relying party's registration at one OpenID Provider.
///
/// ``google(clientID:secret:appClientIDs:hostedDomain:)``, ``microsoft(_:clientID:credential:appClientIDs:acceptedTenants:)``
/// and ``facebookLimitedLogin(appID:issuer:)`` know how these providers differ from the standard. Any other provider is
/// configured by its issuer alone. Printing or mirroring a configuration shows nothing of it.
public struct ProviderConfiguration: Sendable, Redacted {
    /// The short name by which routes, logs and the account store know the provider.
    public let id: ProviderID
    /// The issuer, byte for byte as the provider's discovery document and tokens spell it.
    public let issuer: String
    /// The client identifier that the provider gave your website: the `client_id` of requests and the `aud` of tokens.
    public let clientID: String
    /// The credential that authenticates the client at the token endpoint.
    ///
    /// If it is nil, browsers can't sign in with this provider, and only identity tokens from apps are verified.
    public let credential: ClientCredential?
    /// Further client identifiers of yours at the provider, which your apps use. Tokens for them are accepted too.
    public let appClientIDs: [String]
    /// The scopes to ask for; `openid` is always among them.
    public let scopes: [String]
    /// The name and the mark on the button.
    public let button: ProviderButton
    let rules: ProviderRules
    let issuerURL: ProviderURL

    /// Creates the configuration of a provider that keeps to the standard.
    /// - Parameters:
    ///   - issuer: `https`, or `http` on a loopback address, with a path if the provider has one. It has no query and no
    ///     fragment.
    ///   - scopes: ask for no more than you need. `openid` is added if it is missing.
    ///   - tellsAuthenticationTime: false for a provider whose tokens don't say when the person authenticated, though the
    ///     standard demands it where it is asked for.
    /// - Throws: ``OpenIDConnectError/Code/invalidConfiguration``.
    public init(
        id: ProviderID, issuer: String, clientID: String, credential: ClientCredential?, appClientIDs: [String] = [],
        scopes: [String] = ["openid", "email", "profile"], button: ProviderButton,
        tellsAuthenticationTime: Bool = true
    ) throws(OpenIDConnectError) {
        var rules = ProviderRules.standard
        rules.tellsAuthenticationTime = tellsAuthenticationTime
        try self.init(
            id: id, issuer: issuer, clientID: clientID, credential: credential, appClientIDs: appClientIDs,
            scopes: scopes, button: button, rules: rules)
    }

    init(
        id: ProviderID, issuer: String, clientID: String, credential: ClientCredential?, appClientIDs: [String],
        scopes: [String], button: ProviderButton, rules: ProviderRules
    ) throws(OpenIDConnectError) {
        guard let url = ProviderURL(rules.isTemplate ? rules.documentURL ?? "" : issuer, allowsQuery: false) else {
            throw OpenIDConnectError(
                .invalidConfiguration,
                "the issuer of provider \(id) is no https URL, or has a query, a fragment or a host in upper case")
        }
        guard ([clientID] + appClientIDs).allSatisfy(Self.isClientID) else {
            throw OpenIDConnectError(
                .invalidConfiguration, "a client identifier of provider \(id) is empty, too long or no printable ASCII")
        }
        guard scopes.allSatisfy(Self.isScope) else {
            throw OpenIDConnectError(.invalidConfiguration, "a scope of provider \(id) is no scope of RFC 6749 §3.3")
        }
        self.id = id
        self.issuer = issuer
        self.clientID = clientID
        self.credential = credential
        self.appClientIDs = appClientIDs
        self.scopes = scopes.contains("openid") ? scopes : ["openid"] + scopes
        self.button = button
        self.rules = rules
        issuerURL = url
    }

    /// The address of the discovery document (OpenID Connect Discovery 1.0 §4.1).
    public var documentURL: String {
        rules.documentURL
            ?? (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Whether the provider can be asked for a recent authentication, and says in the token when it was. Otherwise a person
    /// who comes back has shown only that the provider knows them.
    public var tellsAuthenticationTime: Bool { rules.tellsAuthenticationTime }

    /// Whether the people of an issuer keep their key (issuer and subject) under this configuration: it is this issuer, or
    /// both are Microsoft's, where each person's key has the issuer of their own organization.
    package func keepsKeys(ofIssuer other: String) -> Bool {
        if other.isSpelt(as: issuer) { return true }
        let template = "https://login.microsoftonline.com/\(TenantTemplate.placeholder)/v2.0"
        return [issuer, other].allSatisfy { $0 == template || TenantTemplate.tenant(in: $0, by: template) != nil }
    }

    /// Whether people whose tokens name an issuer could sign in by this configuration.
    package func takesPeople(ofIssuer other: String) -> Bool {
        other.isSpelt(as: issuer) || rules.isTemplate && keepsKeys(ofIssuer: other)
    }

    /// Whether somebody could sign in by both configurations with one issuer and subject: they have the same issuer, or one
    /// of them is for all organizations at Microsoft and the other one for some.
    package func sharesPeople(with other: Self) -> Bool {
        issuer.isSpelt(as: other.issuer)
            || ((rules.isTemplate || other.rules.isTemplate) && keepsKeys(ofIssuer: other.issuer))
    }

    /// Every client identifier that a token may be for.
    var audiences: [String] { [clientID] + appClientIDs }

    /// Checks that no two configurations have the same id, or the same client at the same issuer.
    ///
    /// Each provider needs a redirect URI of its own (RFC 9700 §4.4.2), which an application makes from the id.
    /// - Throws: ``OpenIDConnectError/Code/invalidConfiguration``.
    public static func requireDistinct(_ configurations: [Self]) throws(OpenIDConnectError) {
        var ids: Set<ProviderID> = []
        var clients: Set<[String]> = []
        for configuration in configurations {
            guard ids.insert(configuration.id).inserted else {
                throw OpenIDConnectError(
                    .invalidConfiguration, "two providers have the id \(configuration.id)")
            }
            guard clients.insert([configuration.issuer, configuration.clientID]).inserted else {
                throw OpenIDConnectError(
                    .invalidConfiguration, "provider \(configuration.id) is configured twice, under two ids")
            }
        }
    }

    private static func isClientID(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func isScope(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }
}

/// The short name of a provider, as it stands in routes such as `/sign-in/google`: 1 to 32 small letters, digits and
/// hyphens, the first a letter.
///
/// `apple` is no such name: Sign in with Apple has a library of its own.
public struct ProviderID: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Creates a name from text.
    /// - Throws: ``OpenIDConnectError/Code/invalidConfiguration`` for text that is no such name.
    public init(_ rawValue: String) throws(OpenIDConnectError) {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...32).contains(rawValue.utf8.count), rawValue != "apple", let first = rawValue.utf8.first,
            letters.contains(first),
            rawValue.utf8.allSatisfy({ letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") })
        else {
            throw OpenIDConnectError(
                .invalidConfiguration,
                "the id of a provider has 1 to 32 small letters, digits and hyphens, begins with a letter, and is not apple"
            )
        }
        self.rawValue = rawValue
    }

    init(preset rawValue: StaticString) {
        self.rawValue = "\(rawValue)"
    }

    /// The name.
    public var description: String { rawValue }
}

/// The words and the picture on a provider's button.
public struct ProviderButton: Hashable, Sendable {
    /// The provider's name as people know it, such as `Google`.
    public var name: String
    /// The name of the picture, such as `google`; nil for a button without a picture. The application keeps the
    /// pictures.
    public var mark: String?

    /// Creates a button.
    public init(name: String, mark: String? = nil) {
        self.name = name
        self.mark = mark
    }
}
