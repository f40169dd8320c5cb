public import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A verified identity token of a provider. Only ``ProviderClient`` makes one. Printing or mirroring it shows nothing of
/// it.
///
/// ``issuer`` and ``subject`` together are the key for the person's account. An address is never a key, because it may
/// change, and may be given to somebody else.
public struct VerifiedProviderIdentity: Hashable, Sendable, Redacted {
    /// The name of the provider, as configured.
    public let provider: ProviderID
    /// The issuer under which the subject is known.
    ///
    /// It is the configured issuer; for Microsoft with people of several organizations, the issuer of the person's own.
    public let issuer: String
    /// The person's subject (`sub`), 1 to 255 bytes, opaque.
    public let subject: String
    /// The client that the token was made for: the website's, or one of the apps'.
    public let clientID: String
    /// The time when the provider made the token, in whole seconds.
    public let issuedAt: Date
    /// The time until which the token is good, in whole seconds.
    public let expiresAt: Date
    /// The time when the person authenticated at the provider (`auth_time`), if the token says it.
    public let authenticatedAt: Date?
    /// The way in which the person authenticated (`acr`), if the token says it.
    public let authenticationContext: String?
    /// The methods by which the person authenticated (`amr`), such as `pwd` and `otp`.
    public let authenticationMethods: [String]
    /// The person's address, if any. It may change or vanish: never a key for an account.
    public let email: String?
    /// Whether the provider has verified ``email``; false unless the provider says so in the way that it documents.
    public let isEmailVerified: Bool
    /// The person's full name, as the provider knows it.
    public let name: String?
    /// The person's given name, as the provider knows it.
    public let givenName: String?
    /// The person's family name, as the provider knows it.
    public let familyName: String?
    /// The SHA-256 of the token's signing input, 32 bytes: it names the token for single use.
    public let signingInputDigest: [UInt8]
    /// The token itself in compact form, for a server that hands it to the app that asked for it.
    package let identityToken: String

    /// - Throws: ``OpenIDConnectError/Code/issuerMismatch`` while a rule left out what it should have found.
    init(_ evidence: IDTokenEvidence, token: String, signingInput: [UInt8]) throws(OpenIDConnectError) {
        let claims = evidence.claims
        guard let issuer = evidence.issuer, let client = claims.authorizedParty ?? claims.audiences.first else {
            throw OpenIDConnectError(.issuerMismatch, "a rule left out what it should have found")
        }
        provider = evidence.configuration.id
        self.issuer = issuer
        subject = claims.subject
        clientID = client
        issuedAt = Date(timeIntervalSince1970: TimeInterval(claims.issuedAt))
        expiresAt = Date(timeIntervalSince1970: TimeInterval(claims.expiresAt))
        authenticatedAt = claims.authenticatedAt.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        authenticationContext = claims.authenticationContext
        authenticationMethods = claims.authenticationMethods
        email = claims.email
        let isProven =
            switch evidence.configuration.rules.emailProof {
            case .emailVerified: claims.emailVerified == true
            case .domainOwnerVerified: claims.domainOwnerVerified == true
            case .never: false
            }
        isEmailVerified = isProven && claims.email != nil
        name = claims.name
        givenName = claims.givenName
        familyName = claims.familyName
        signingInputDigest = Array(SHA256.hash(data: signingInput))
        identityToken = token
    }
}
