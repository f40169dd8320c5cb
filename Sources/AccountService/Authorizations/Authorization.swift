import AppleID
public import AppleIDTypes
import OpenIDConnect

/// An app's request for an authorization, unchecked; ``Authorizations/begin(_:from:)`` checks it.
public struct BeginAuthorization: Sendable, Redacted {
    /// The app that asks.
    public var app: AppID
    /// The URL that the browser returns to; nil for the device flow.
    public var redirectURI: String?
    /// 43 base64url characters of a SHA-256 (RFC 7636, S256).
    public var codeChallenge: String
    /// The words `name` and `email`, separated by spaces.
    public var scope: String
    /// The nonce that the identity token shall carry; Apple, or the provider, gets it unchanged. A provider needs one.
    public var nonce: String?
    /// A text of the app's own, which its credential returns unchanged.
    public var state: String?
    /// The id of another provider than Apple with which the person signs in; nil for Apple.
    public var provider: String?

    /// Makes a request of an app. It is checked when it is used.
    public init(
        app: AppID, redirectURI: String?, codeChallenge: String, scope: String, nonce: String?, state: String?,
        provider: String? = nil
    ) {
        self.app = app
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.scope = scope
        self.nonce = nonce
        self.state = state
        self.provider = provider
    }
}

/// How an authorization goes on.
public enum AuthorizationBeginning: Hashable, Sendable, Redacted {
    /// A browser is to open the URL, a page of ours.
    case redirect(id: AuthorizationID, url: String, expiresAt: Timestamp)
    /// A person is to type the user code on our page, while the app asks again and again with the device code.
    /// `userCode` has its hyphen.
    case device(
        deviceCode: String, userCode: String, verificationURL: String, interval: Duration, expiresAt: Timestamp)
}

/// The content of the page that asks for a click before Apple, or another provider, is asked.
package struct AuthorizationPrompt: Hashable, Sendable {
    /// The name of the app, for people.
    package var appName: String
    /// The id of the other provider; nil for Apple.
    package var provider: String?
    /// When the authorization expires.
    package var expiresAt: Timestamp
}

/// The content of the page on which a person allows a device, which may be somebody else's (RFC 8628 §5.4).
package struct DevicePrompt: Hashable, Sendable {
    /// The name of the app, for people.
    package var appName: String
    /// The network address from which the device asked.
    package var address: String
    /// When the device asked.
    package var beganAt: Timestamp
    /// When the authorization expires.
    package var expiresAt: Timestamp
}

/// The content of the last page in the browser.
package struct AuthorizationEnding: Hashable, Sendable {
    /// How an authorization goes on after its last page.
    package enum Next: Hashable, Sendable {
        /// ``Authorizations/returnLocation(_:browser:)`` leads back to the app, until then and while nobody has
        /// redeemed what it leads to.
        case returnToApp(until: Timestamp)
        /// The device asks by itself: the page may be closed.
        case returnToDevice
        /// The app has given up meanwhile.
        case withdrawn
        /// The app has what it asked for, or the time is over.
        case over
    }

    /// The name of the app, for people.
    package var appName: String
    /// The id of the other provider that has answered; nil for Apple.
    package var provider: String?
    /// How the authorization goes on.
    package var next: Next
    /// Why there is no credential; nil when there is one.
    package var failure: AuthorizationFailure?
}

/// An app's request for the credential of a finished authorization.
public struct Redemption: Sendable, Redacted {
    /// The secret by which an authorization is found.
    public enum Key: Hashable, Sendable, Redacted {
        /// The handle from the redirect.
        case handle(String)
        /// The code from the beginning of the device flow.
        case deviceCode(String)
    }

    /// The handle or the device code.
    public var key: Key
    /// The text whose SHA-256 the app gave when it began (RFC 7636 §4.1).
    public var codeVerifier: String

    /// Makes a request for a credential.
    /// - Parameter codeVerifier: The text whose SHA-256 the app gave when it began (RFC 7636).
    public init(_ key: Key, codeVerifier: String) {
        self.key = key
        self.codeVerifier = codeVerifier
    }
}

/// The credential that Apple's framework, or a provider's, would have given the app.
public struct AuthorizationCredential: Hashable, Sendable, Redacted {
    /// Apple's identifier of the person, or the provider's (`sub`).
    public var user: Subject
    /// Apple's or the provider's, in compact form.
    public var identityToken: String
    /// A code of this service, which ``SignIn/native(_:from:)`` takes; Apple's own with ``App/handThrough``. Nil for another
    /// provider, whose token is enough.
    public var authorizationCode: AuthorizationCode?
    /// The address, only when the person consented for the first time.
    public var email: String?
    /// The name, only when the person consented for the first time.
    public var name: PersonName?
    /// The scopes that the app asked for, in the order of its request.
    public var scopes: [Scope]
    /// The text that the app gave when it began.
    public var state: String?

    /// The scopes as the wire has them.
    package var scope: String { scopes.map(\.rawValue).joined(separator: " ") }
}

/// An app's word that it has given up.
package struct AuthorizationCancellation: Sendable, Redacted {
    /// The identifier by which an authorization is found.
    package enum Key: Hashable, Sendable, Redacted {
        /// The id as the app sent it. A text that cannot be an id is an unknown one.
        case id(String)
        case deviceCode(String)
    }

    /// The authorization id or the device code.
    package var key: Key
    /// The text whose SHA-256 the app gave when it began. With a wrong one nothing happens: the browser knows the id too.
    package var codeVerifier: String

    /// Makes a cancellation.
    /// - Parameter codeVerifier: The text whose SHA-256 the app gave when it began (RFC 7636).
    package init(_ key: Key, codeVerifier: String) {
        self.key = key
        self.codeVerifier = codeVerifier
    }
}

/// Why an authorization came to no credential, in a word that the redirect carries as `error`. The words are those of
/// the wire's error codes.
package struct AuthorizationFailure: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The word that is stored and sent.
    package let rawValue: String

    /// Keeps any word, also one that this version doesn't know.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The text itself, as logs show it.
    package var description: String { rawValue }

    /// The person pressed Cancel at Apple.
    package static let cancelled = Self(rawValue: "cancelled")
    /// The person did not allow the device.
    package static let denied = Self(rawValue: "denied")
    /// The person came back from Apple when the time of the authorization was over.
    package static let expired = Self(rawValue: "expired")
    /// The app gave up; no browser is sent anywhere with this.
    package static let withdrawn = Self(rawValue: "withdrawn")
    /// A fault of this server, of which the log knows more.
    package static let `internal` = Self(rawValue: "internal")
}

extension AuthorizationFailure {
    /// The codes of ours that say something to an app; they are spelt as on the wire.
    private static let told: [AccountError.Code] = [
        .cancelled, .refusedByApple, .identityTokenMissing, .codeMissing, .identityMismatch, .tokenTooOld,
        .transferNotCompleted, .configuration, .unavailable,
    ]

    init(_ error: any Error) {
        switch error {
        case let error as AccountError where Self.told.contains(error.code):
            self.init(rawValue: error.code.description)
        case let error as AppleIDError where error.isOfMalformedAnswer:
            self.init(rawValue: "apple_malformed_answer")
        case let error as AppleIDError where error.code == .exchangeOutcomeUnknown:
            // The app may know what happened at Apple's end, and nothing more.
            self.init((error.cause as? AppleIDError) ?? AppleIDError(.appleUnavailable, error.reason))
        case let error as AppleIDError where error.kind == .configuration:
            self.init(rawValue: "apple_configuration")
        case let error as AppleIDError:
            self.init(rawValue: error.code.description)
        case let error as OpenIDConnectError where error.code == .accessDenied:
            self = .cancelled
        case let error as OpenIDConnectError:
            switch error.kind {
            case .token: self.init(rawValue: "invalid_provider_token")
            case .signInAgain: self.init(rawValue: "sign_in_again")
            case .configuration: self.init(rawValue: "provider_refused_client")
            default: self.init(rawValue: "provider_unavailable")
            }
        default:
            self = .internal
        }
    }
}
