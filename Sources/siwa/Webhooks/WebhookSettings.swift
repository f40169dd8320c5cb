import AccountHTTP
import AccountService
import AppleID

/// The settings of the webhook: the URL of the app's own backend, and the secrets that sign the requests.
struct WebhookSettings: Sendable {
    let url: WebhookURL
    let secrets: WebhookSecrets

    /// Reads ``Setting/webhookURL``, ``Setting/webhookSecret`` and ``Setting/webhookSecretFile``; nil without a URL,
    /// and after a problem, which is reported.
    static func read(_ reader: inout SettingsReader) -> Self? {
        let secrets = readSecrets(&reader)
        guard let text = reader.text(.webhookURL) else {
            if secrets != nil, !reader.isRefused(.webhookURL) {
                reader.report(.webhookURL, "is missing: where webhooks are sent, since there is a secret for them")
            }
            return nil
        }
        let url: WebhookURL
        do {
            url = try WebhookURL(text)
        } catch {
            reader.report(.webhookURL, error.reason)
            return nil
        }
        guard let secrets else {
            if !reader.isRefused(.webhookSecret), !reader.problems.contains(where: { $0.setting == .webhookSecret }),
                !reader.problems.contains(where: { $0.setting == .webhookSecretFile })
            {
                reader.report(
                    .webhookSecretFile,
                    "is missing: what webhooks are signed with, `whsec_` and base64 of 24 to 64 random bytes; one is "
                        + "made by: echo \"whsec_$(head -c 32 /dev/urandom | base64)\"")
            }
            return nil
        }
        return Self(url: url, secrets: secrets)
    }

    private static func readSecrets(_ reader: inout SettingsReader) -> WebhookSecrets? {
        guard let secret = reader.secret(.webhookSecret, lines: .several) else { return nil }
        do {
            return try WebhookSecrets(parsing: secret.text)
        } catch {
            reader.report(secret.setting, error.reason)
            return nil
        }
    }

    func hook(over transport: any AppleTransport) -> Webhook {
        Webhook(url: url, secrets: secrets, transport: transport)
    }
}
