import AccountAPI
public import AccountService
public import AppleID
public import AppleIDTypes
import Crypto
import Foundation
import HTTPTypes
import StrictJSON
import TaskSignals

/// A hook that tells the app's own backend over HTTP about events of accounts, as Standard Webhooks 1.0 describes.
public struct Webhook: AccountHook {
    /// The hook's name in the database. It never changes.
    public let name = "webhook"

    private let url: WebhookURL
    private let secrets: SecretsInUse
    private let transport: any AppleTransport
    private let environment: AppleIDEnvironment

    /// Makes a webhook. The service repeats a notice until the receiver answers it with a status 2xx.
    /// - Parameter transport: A transport like the one to Apple: it follows no redirect, tries nothing twice, and limits
    ///   size and time.
    public init(
        url: WebhookURL, secrets: WebhookSecrets, transport: any AppleTransport,
        environment: AppleIDEnvironment = .live
    ) {
        self.url = url
        self.secrets = SecretsInUse(secrets)
        self.transport = transport
        self.environment = environment
    }

    /// Signs with other secrets from now on. Copies of this webhook do so too.
    package func replaceSecrets(with secrets: WebhookSecrets) {
        self.secrets.replace(with: secrets)
    }

    /// Sends a notice. Any 2xx response means that the receiver took it, whatever its body says.
    ///
    /// The transport reads the body to its end. If the body is too large or doesn't end in time, there is no response, and
    /// the receiver gets the notice again.
    public func receive(_ notice: AccountNotice) async -> HookAnswer {
        let body: [UInt8]
        do {
            body = try Self.body(of: notice)
        } catch {
            return .failed(code: "not_encodable")
        }
        let timestamp = Timestamp(environment.now()).secondsSince1970
        let signature = secrets.current.signature(id: notice.id.rawValue, timestamp: timestamp, body: body)
        let request = AppleRequest(
            method: .post, url: url.rawValue,
            headerFields: [
                .contentType: "application/json", .userAgent: AppleRequest.userAgent,
                webhookIDName: notice.id.rawValue, webhookTimestampName: "\(timestamp)",
                webhookSignatureName: signature,
            ],
            body: body)
        do {
            let status = try await transport.send(request).status
            return (200..<300).contains(status) ? .taken : .failed(code: "status_\(status)")
        } catch {
            return .failed(code: "not_answered")
        }
    }

    /// The body of a notice. It has the same bytes at each attempt.
    static func body(of notice: AccountNotice) throws -> [UInt8] {
        try StrictJSONEncoder().encode(
            WebhookBody(
                type: WebhookBody.Kind(rawValue: notice.kind.rawValue),
                timestamp: APITime(secondsSince1970: notice.happenedAt.secondsSince1970),
                data: WebhookBody.Subject(
                    accountID: notice.accountID.rawValue, sequence: notice.sequence,
                    identityID: notice.identityID?.rawValue, reason: notice.reason,
                    merged: notice.mergedInto.map {
                        MergedAccountsBody(from: notice.accountID.rawValue, into: $0.rawValue)
                    })))
    }
}

/// The secrets that a webhook signs with now.
private final class SecretsInUse: Sendable {
    private let secrets: Lock<WebhookSecrets>

    init(_ secrets: WebhookSecrets) {
        self.secrets = Lock(secrets)
    }

    var current: WebhookSecrets { secrets.withLock { $0 } }

    func replace(with secrets: WebhookSecrets) {
        self.secrets.withLock { $0 = secrets }
    }
}

/// The address of a webhook's receiver: `https`, or `http` on this machine.
public struct WebhookURL: Hashable, Sendable {
    let rawValue: String

    /// Checks an address.
    /// - Parameter text: An absolute URL without user, password and fragment, of printable ASCII, at most 2000 bytes.
    /// - Throws: `AccountError` with the code `configuration`.
    public init(_ text: String) throws(AccountError) {
        guard let mark = text.firstRange(of: "://"), text.utf8.count <= 2_000 else {
            throw AccountError(.configuration, "must be an absolute https:// URL")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}#".utf8.contains($0) }) else {
            throw AccountError(.configuration, "must have no fragment, and nothing that a URL writes in another way")
        }
        let end = text[mark.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        guard let origin = ServerOrigin(text[..<end].lowercased()) else {
            throw AccountError(.configuration, "must have a host, perhaps a port, and no user or password")
        }
        guard origin.isAcceptable else {
            throw AccountError(.configuration, "must be https://, unless its host is this machine")
        }
        rawValue = text
    }
}

/// The secrets that sign webhooks: one, or several while an operator changes one. Each of them signs, so that a receiver
/// can be told the new one at any time (Standard Webhooks 1.0, "Zero downtime secret rotation").
public struct WebhookSecrets: Sendable, Redacted {
    /// So many can be in use at once.
    static let maximum = 5

    private let keys: [SymmetricKey]

    /// Reads secrets from a setting.
    /// - Parameter text: Secrets as `whsec_` and base64 of 24 to 64 random bytes, separated by commas or white space.
    /// - Throws: `AccountError` with the code `configuration`. The reason never quotes a secret.
    public init(parsing text: String) throws(AccountError) {
        var keys: [SymmetricKey] = []
        for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard part.hasPrefix("whsec_"), let bytes = Data(base64Encoded: String(part.dropFirst(6))),
                (24...64).contains(bytes.count)
            else {
                throw AccountError(
                    .configuration, "secret \(keys.count + 1) is not `whsec_` and base64 of 24 to 64 random bytes")
            }
            keys.append(SymmetricKey(data: bytes))
        }
        guard (1...Self.maximum).contains(keys.count) else {
            throw AccountError(.configuration, "there must be 1 to \(Self.maximum) secrets")
        }
        self.keys = keys
    }

    /// The value of `webhook-signature`: a signature of each secret.
    /// - Parameter timestamp: seconds since 1970, as in `webhook-timestamp`.
    func signature(id: String, timestamp: Int64, body: some Sequence<UInt8>) -> String {
        let signed = Data("\(id).\(timestamp).".utf8) + Data(body)
        return keys.map { key in
            "v1," + Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
        }.joined(separator: " ")
    }
}

// A field name is checked when it is made; these are valid tokens of RFC 9110.
private let webhookIDName = HTTPField.Name("webhook-id")!
private let webhookTimestampName = HTTPField.Name("webhook-timestamp")!
private let webhookSignatureName = HTTPField.Name("webhook-signature")!
