import AccountAPI
public import Foundation

/// A consent that the person gave the account service.
public struct Consent: Hashable, Sendable, Identifiable {
    /// The account service's identifier; opaque.
    public let id: String
    /// The purpose that the person allowed.
    public let purpose: ConsentPurpose
    /// The version of the text that the person agreed to. ``AccountClient/consentText(of:)`` gives the text.
    public let textVersion: String
    /// The time at which the person agreed.
    public let givenAt: Date
    /// The time at which the person withdrew the consent; nil while it holds.
    public let withdrawnAt: Date?
    /// The bundle or Services identifier of the session in which the person agreed.
    public let clientID: String
    /// The name of the device on which the person agreed; nil if the service doesn't know it.
    public let deviceName: String?

    init(_ body: ConsentBody) {
        id = body.id
        purpose = ConsentPurpose(rawValue: body.purpose.rawValue)
        textVersion = body.textVersion
        givenAt = body.givenAt.date
        withdrawnAt = body.withdrawnAt?.date
        clientID = body.clientID
        deviceName = body.device
    }
}

/// The data that the account service may keep with a consent. Newer services may know more purposes.
public struct ConsentPurpose: RawRepresentable, Hashable, Sendable {
    /// The account service's word.
    public let rawValue: String

    /// Makes a purpose of the account service's word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The service may keep a contact address.
    public static let contactEmail = Self(rawValue: "contact_email")
    /// The service may keep a phone number.
    public static let phone = Self(rawValue: "phone")
    /// The account may have an identity that hides the person's address beside data that tell who the person is.
    public static let linkedIdentity = Self(rawValue: "linked_identity")
}

/// A text that people agree to, in one version and one language.
public struct ConsentText: Hashable, Sendable {
    /// Names the text, so that the consent is to what the person read. A consent is to one version.
    public let version: String
    /// The language of the text, as a BCP 47 tag. It is the first of the person's languages that the service has.
    public let language: String
    /// The text itself: plain text, whose paragraphs are separated by empty lines.
    public let text: String
}

/// A question that the app puts to the person: whether they agree to a text.
public struct ConsentQuestion: Hashable, Sendable {
    /// The purposes that the person would allow.
    public let purposes: [ConsentPurpose]
    /// The text to show: plain text, whose paragraphs are separated by empty lines.
    public let text: String
    /// The language of the text, as a BCP 47 tag.
    public let language: String
    /// Names the text, so that the consent is to what the person read.
    public let textVersion: String

    /// Makes a question, for tests of an app's own code.
    public init(purposes: [ConsentPurpose], text: String, language: String, textVersion: String) {
        self.purposes = purposes
        self.text = text
        self.language = language
        self.textVersion = textVersion
    }
}

/// Shows the person a question, and returns whether they agree.
public typealias ConsentPrompt = @Sendable (ConsentQuestion) async -> Bool
