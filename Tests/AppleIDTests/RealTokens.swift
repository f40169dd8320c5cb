import AppleID
import AppleIDTypes
import Foundation
import StrictJSON
import Testing

/// Tokens that Apple itself signed in 2021, with the keys that it published then.
struct RealTokens {
    let keys: KeyCache
    let audience: ClientID
    let subject: Subject
    let withEmail: String
    let withoutEmail: String
    let notification: String

    init() throws {
        let file = try #require(
            Bundle.module.url(forResource: "tokens", withExtension: "json", subdirectory: "Vectors"))
        let text = [UInt8](try Data(contentsOf: file))
        let root = try JSONDocument(text).root
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
        keys = try KeyCache(fixed: [UInt8](JSONSerialization.data(withJSONObject: try #require(object["keys"]))))
        audience = ClientID(try #require(root["audience"]?.string))
        subject = Subject(try #require(root["subject"]?.string))
        withEmail = try #require(root["identityTokenWithEmail"]?.string)
        withoutEmail = try #require(root["identityTokenWithoutEmail"]?.string)
        notification = try #require(root["serverNotification"]?.string)
    }

    /// A token together with its times.
    struct Sample: Sendable, CustomTestStringConvertible {
        enum Kind { case withEmail, withoutEmail, notification }

        let kind: Kind
        let issuedAt: TimeInterval
        let expiresAt: TimeInterval

        var isNotification: Bool { kind == .notification }
        var testDescription: String { "\(kind)" }

        static let withEmail = Self(kind: .withEmail, issuedAt: 1_614_431_194, expiresAt: 1_614_517_594)
        static let withoutEmail = Self(kind: .withoutEmail, issuedAt: 1_630_741_430, expiresAt: 1_630_827_830)
        static let notification = Self(kind: .notification, issuedAt: 1_630_085_412, expiresAt: 1_630_171_812)
        static let all = [withEmail, withoutEmail, notification]
    }

    func token(_ sample: Sample) -> String {
        switch sample.kind {
        case .withEmail: withEmail
        case .withoutEmail: withoutEmail
        case .notification: notification
        }
    }

    /// As an identity token, nothing expected but audience and time.
    func verifyIdentity(
        _ token: String, at time: TimeInterval, audiences: Set<ClientID>? = nil
    ) async throws(AppleIDError) -> VerifiedIdentity {
        try await IdentityVerifier(keys: keys).verify(
            token,
            expecting: IdentityExpectation(
                audiences: audiences ?? [audience], nonce: nil, time: Date(timeIntervalSince1970: time)))
    }

    func verifyNotification(
        _ token: String, at time: TimeInterval, audiences: Set<ClientID>? = nil
    ) async throws(AppleIDError) -> VerifiedNotification {
        try await NotificationVerifier(keys: keys).verify(
            token,
            expecting: NotificationExpectation(
                audiences: audiences ?? [audience], time: Date(timeIntervalSince1970: time)))
    }

    /// The code of a verification as what the sample is, or nil when it verifies.
    func failure(
        _ sample: Sample, token: String? = nil, at time: TimeInterval, audiences: Set<ClientID>? = nil
    ) async -> AppleIDError.Code? {
        let token = token ?? self.token(sample)
        do throws(AppleIDError) {
            if sample.isNotification {
                _ = try await verifyNotification(token, at: time, audiences: audiences)
            } else {
                _ = try await verifyIdentity(token, at: time, audiences: audiences)
            }
            return nil
        } catch {
            return error.code
        }
    }
}
