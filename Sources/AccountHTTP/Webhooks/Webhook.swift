import AccountAPI
public import AccountService
public import AppleID
import StrictJSON
import Synchronization

/// Tells the app's own backend over HTTP what happened to accounts, as Standard Webhooks 1.0 has it.
public struct Webhook: AccountHook {
    public let name = "webhook"

    private let url: WebhookURL
    private let secrets: SecretsInUse
    private let transport: any AppleTransport
    private let environment: AppleIDEnvironment

    /// - Parameter transport: for requests as bounded as those to Apple: no redirect is followed, nothing is tried
    ///   twice, and size and time have limits.
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

    /// Any 2xx takes the notice. What the answer says besides is nobody's business.
    public func receive(_ notice: AccountNotice) async -> HookAnswer {
        let body: [UInt8]
        do {
            body = try Self.body(of: notice)
        } catch {
            return .failed(code: "not_encodable")
        }
        let timestamp = Timestamp(environment.now()).secondsSince1970
        let request = AppleRequest(
            method: "POST", url: url.rawValue,
            headers: [
                ("Content-Type", "application/json"), ("User-Agent", AppleRequest.userAgent),
                ("webhook-id", notice.id.rawValue), ("webhook-timestamp", "\(timestamp)"),
                (
                    "webhook-signature",
                    secrets.current.signature(id: notice.id.rawValue, timestamp: timestamp, body: body)
                ),
            ],
            body: body)
        do {
            let status = try await transport.send(request).status
            return (200..<300).contains(status) ? .taken : .failed(code: "status_\(status)")
        } catch {
            return .failed(code: "not_answered")
        }
    }

    /// The same bytes at each attempt.
    static func body(of notice: AccountNotice) throws -> [UInt8] {
        try StrictJSONEncoder().encode(
            WebhookBody(
                type: WebhookBody.Kind(rawValue: notice.kind.rawValue),
                timestamp: APITime(secondsSince1970: notice.happenedAt.secondsSince1970),
                data: WebhookBody.Subject(
                    accountID: notice.accountID.rawValue, sequence: notice.sequence,
                    identityID: notice.identityID?.rawValue, reason: notice.reason)))
    }
}

/// The secrets that a webhook signs with now.
private final class SecretsInUse: Sendable {
    private let secrets: Mutex<WebhookSecrets>

    init(_ secrets: WebhookSecrets) {
        self.secrets = Mutex(secrets)
    }

    var current: WebhookSecrets { secrets.withLock { $0 } }

    func replace(with secrets: WebhookSecrets) {
        self.secrets.withLock { $0 = secrets }
    }
}
