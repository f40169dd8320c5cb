public import Foundation

// The words and numbers of WebAuthn (https://www.w3.org/TR/webauthn-3/) that requests for passkeys use. Apple publishes
// the names of its constants and not their values: those of WebAuthn stand here.

/// Whether an authenticator checks who is there (WebAuthn, section 5.8.6).
public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: RawRepresentable, Hashable, Sendable {
    /// WebAuthn's word.
    public let rawValue: String

    /// Makes a value of WebAuthn's word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a value of WebAuthn's word.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The authenticator checks if it can.
    public static let preferred = Self("preferred")
    /// The authenticator checks, or refuses.
    public static let required = Self("required")
    /// The authenticator needn't check.
    public static let discouraged = Self("discouraged")
}

/// How much an authenticator says about its own make (WebAuthn, section 5.4.7).
public struct ASAuthorizationPublicKeyCredentialAttestationKind: RawRepresentable, Hashable, Sendable {
    /// WebAuthn's word.
    public let rawValue: String

    /// Makes a value of WebAuthn's word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a value of WebAuthn's word.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Nothing.
    public static let none = Self("none")
    /// Something, which a third party may have made anonymous.
    public static let indirect = Self("indirect")
    /// All that the authenticator says.
    public static let direct = Self("direct")
    /// Also what identifies the single device, within an organization.
    public static let enterprise = Self("enterprise")
}

/// Whether a security key stores the private key itself (WebAuthn, section 5.4.6).
public struct ASAuthorizationPublicKeyCredentialResidentKeyPreference: RawRepresentable, Hashable, Sendable {
    /// WebAuthn's word.
    public let rawValue: String

    /// Makes a value of WebAuthn's word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a value of WebAuthn's word.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The security key needn't store it.
    public static let discouraged = Self("discouraged")
    /// The security key stores it if it can.
    public static let preferred = Self("preferred")
    /// The security key stores it, or refuses.
    public static let required = Self("required")
}

/// An algorithm of a signature, by its number in COSE's registry.
public struct ASCOSEAlgorithmIdentifier: RawRepresentable, Hashable, Sendable {
    /// The registry's number.
    public let rawValue: Int

    /// Makes a value of the registry's number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Makes a value of the registry's number.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// ECDSA on P-256 with SHA-256.
    public static let ES256 = Self(-7)
}

/// An elliptic curve, by its number in COSE's registry.
public struct ASCOSEEllipticCurveIdentifier: RawRepresentable, Hashable, Sendable {
    /// The registry's number.
    public let rawValue: Int

    /// Makes a value of the registry's number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Makes a value of the registry's number.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The curve P-256.
    public static let P256 = Self(1)
}

/// An algorithm that a server accepts for a new key pair.
///
/// Sendable: its one stored property is a constant.
open class ASAuthorizationPublicKeyCredentialParameters: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Sendable: set once.
    private let given: ASCOSEAlgorithmIdentifier

    /// Makes parameters of an algorithm.
    public init(algorithm: ASCOSEAlgorithmIdentifier) {
        given = algorithm
    }

    /// The algorithm that the server accepts.
    open var algorithm: ASCOSEAlgorithmIdentifier { given }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true: parameters are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the algorithm to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(given.rawValue, forKey: "algorithm")
    }

    /// Nil if the archive has no algorithm.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "algorithm") else { return nil }
        given = ASCOSEAlgorithmIdentifier(coder.decodeInteger(forKey: "algorithm"))
    }
}

/// Where a passkey was used. Apple's numbers.
public enum ASAuthorizationPublicKeyCredentialAttachment: Int, Sendable {
    /// On this device.
    case platform = 0
    /// On another device, such as a phone nearby.
    case crossPlatform = 1
}
