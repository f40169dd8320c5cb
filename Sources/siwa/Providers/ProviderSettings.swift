import AccountHTTP
import AccountService
import OpenIDConnect

/// Reads the providers beside Apple with which people sign in: `"providers"` of the settings file.
///
/// `google`, `microsoft` and `facebook` are known, so they need little. Any other id needs an issuer. Secrets are in
/// files of their own.
@available(siwaServer 1.0, *)
struct ProviderSettings {
    /// Reads all of them, and reports all that is wrong.
    func read(_ reader: inout SettingsReader, file: SettingsFile) -> [ProviderConfiguration] {
        let providers = file.providers.compactMap { read($0, &reader) }
        do throws(AccountError) {
            try Providers.check(providers)
        } catch {
            reader.report(.providers, error.reason)
        }
        return providers
    }

    private func read(_ id: String, _ reader: inout SettingsReader) -> ProviderConfiguration? {
        let before = reader.problems.count
        if Providers.reservedIDs.contains(id) {
            reader.report(.provider(id), "the service uses this id itself; choose another one")
        }
        requireFitting(id, &reader)
        let clientID = reader.requiredText(
            .provider(id, "client-id"), what: "the client identifier that the provider gave you")
        let credential = credential(of: id, &reader)
        guard reader.problems.count == before, let clientID else { return nil }
        do throws(OpenIDConnectError) {
            return try configuration(id, clientID, credential, &reader)
        } catch {
            reader.report(.provider(id), error.reason)
            return nil
        }
    }

    private func configuration(
        _ id: String, _ clientID: String, _ credential: Credential?, _ reader: inout SettingsReader
    ) throws(OpenIDConnectError) -> ProviderConfiguration? {
        let apps = reader.texts(.provider(id, "app-client-ids"))
        switch id {
        case "google":
            return try ProviderConfiguration.google(
                clientID: clientID, secret: credential?.secret, appClientIDs: apps,
                hostedDomain: reader.text(.provider(id, "hosted-domain")))
        case "microsoft":
            return try ProviderConfiguration.microsoft(
                microsoftAccounts(&reader), clientID: clientID, credential: credential?.value(audience: .tokenEndpoint),
                appClientIDs: apps,
                acceptedTenants: reader.textsIfSet(.provider(id, "accepted-tenants")).map { Set($0) })
        case "facebook":
            guard let issuer = reader.text(.provider(id, "issuer")) else {
                return try ProviderConfiguration.facebookLimitedLogin(appID: clientID)
            }
            return try ProviderConfiguration.facebookLimitedLogin(appID: clientID, issuer: issuer)
        default:
            guard
                let issuer = reader.requiredText(
                    .provider(id, "issuer"), what: "the provider's issuer, as its discovery document spells it")
            else { return nil }
            let audience = assertionAudience(of: id, &reader)
            return try ProviderConfiguration(
                id: ProviderID(id), issuer: issuer, clientID: clientID,
                credential: credential?.value(audience: audience),
                appClientIDs: apps, scopes: reader.textsIfSet(.provider(id, "scopes")) ?? Self.scopes,
                button: ProviderButton(name: reader.text(.provider(id, "name")) ?? id, mark: mark(of: id, &reader)),
                tellsAuthenticationTime: !reader.flag(.provider(id, "no-authentication-time")))
        }
    }

    /// The picture on the button: one of the service's own.
    private func mark(of id: String, _ reader: inout SettingsReader) -> String? {
        let setting = Setting.provider(id, "mark")
        guard let mark = reader.text(setting) else { return nil }
        guard ProviderMarks.names.contains(mark) else {
            reader.report(setting, "is one of \(ProviderMarks.names.joined(separator: ", "))")
            return nil
        }
        return mark
    }

    private static let scopes = ["openid", "email", "profile"]

    /// Some providers know themselves by the address of their token endpoint alone.
    private func assertionAudience(
        of id: String, _ reader: inout SettingsReader
    ) -> ClientCredential.AssertionAudience {
        let setting = Setting.provider(id, "assertion-audience")
        switch reader.text(setting) {
        case nil, "issuer": return .issuer
        case "token-endpoint": return .tokenEndpoint
        default:
            reader.report(setting, "is issuer or token-endpoint")
            return .issuer
        }
    }

    private func microsoftAccounts(_ reader: inout SettingsReader) -> ProviderConfiguration.MicrosoftAccounts {
        switch reader.text(.provider("microsoft", "accounts")) {
        case nil, "all": .all
        case "organizations": .organizations
        case "personal": .personal
        case let directory?: .directory(directory)
        }
    }

    /// Reports members that mean nothing for a provider.
    private func requireFitting(_ id: String, _ reader: inout SettingsReader) {
        let members = [
            ("hosted-domain", ["google"]), ("accounts", ["microsoft"]), ("accepted-tenants", ["microsoft"]),
        ]
        for (member, ids) in members where !ids.contains(id) {
            let setting = Setting.provider(id, member)
            if !reader.texts(setting).isEmpty { reader.report(setting, "is for \(ids[0]) alone") }
        }
        for member in ["scopes", "name", "mark", "assertion-audience"]
        where ["google", "microsoft", "facebook"].contains(id) {
            let setting = Setting.provider(id, member)
            if !reader.texts(setting).isEmpty { reader.report(setting, "is known for \(id), and can't be set") }
        }
        if ["google", "microsoft"].contains(id), reader.text(.provider(id, "issuer")) != nil {
            reader.report(.provider(id, "issuer"), "is known for \(id), and can't be set")
        }
    }

    // MARK: The credential

    private enum Credential {
        case secret(String)
        case privateKey(id: String, pem: String)

        var secret: String? {
            if case .secret(let text) = self { text } else { nil }
        }

        func value(audience: ClientCredential.AssertionAudience) throws(OpenIDConnectError) -> ClientCredential {
            switch self {
            case .secret(let text): try .secret(text)
            case .privateKey(let id, let pem): try .privateKey(id: id, pem: pem, audience: audience)
            }
        }
    }

    /// The credential for browsers. Without one, only apps sign in with the provider.
    private func credential(of id: String, _ reader: inout SettingsReader) -> Credential? {
        let (secret, key) = (Setting.provider(id, "client-secret-file"), Setting.provider(id, "private-key-file"))
        let secretFile = reader.text(secret)
        let keyFile = reader.text(key)
        if let setting = secretFile != nil ? secret : keyFile != nil ? key : nil, id == "facebook" {
            reader.report(setting, "is for browsers, and Facebook's Limited Login is for apps alone")
            return nil
        }
        if let secretFile {
            if keyFile != nil { reader.report(key, "stands beside \(secret.path); give one of them") }
            return reader.secret(inFile: secretFile, of: secret, lines: .one).map { Credential.secret($0) }
        }
        guard let keyFile else { return nil }
        if id == "google" { reader.report(key, "Google takes a client secret; set \(secret.path)") }
        let name = reader.requiredText(
            .provider(id, "key-id"), what: "the name of the key (kid) in the key set that you gave the provider")
        guard let name, let pem = reader.secret(inFile: keyFile, of: key, lines: .several) else { return nil }
        return .privateKey(id: name, pem: pem)
    }
}
