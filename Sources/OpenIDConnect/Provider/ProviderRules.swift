import StrictJWS

/// The differences between a provider's documents and the standard. Everything else is the same for all providers.
struct ProviderRules: Sendable, Hashable {
    /// The comparison of a token's issuer with the configured one.
    enum Issuers: Sendable, Hashable {
        /// The token's issuer is the configured one (OpenID Connect Core 1.0 §3.1.3.7 (2)).
        case configured
        /// Tokens spell the configured issuer in one of these ways too.
        case alsoSpelt([String])
        /// The configured issuer holds `{tenantid}`, in whose place a token has its own `tid`.
        case tenants(AcceptedTenants)
    }

    /// The proof that an address in a token is the person's own.
    enum EmailProof: Sendable, Hashable {
        /// The claim `email_verified` says so (OpenID Connect Core 1.0 §5.1).
        case emailVerified
        /// The claim `xms_edov` says so, because a directory's administrator can write any address at Microsoft.
        case domainOwnerVerified
        /// Never: the provider doesn't say.
        case never
    }

    var issuers = Issuers.configured
    /// The address of the discovery document, where it isn't the standard's.
    var documentURL: String?
    var emailProof = EmailProof.emailVerified
    /// Whether tokens say when the person authenticated (`auth_time`) if they are asked for it (`max_age`), as OpenID
    /// Connect Core 1.0 §3.1.2.1 demands.
    var tellsAuthenticationTime = true
    /// The only domain (`hd`) whose people are accepted, at Google.
    var hostedDomain: String?

    static let standard = Self()

    var isTemplate: Bool {
        if case .tenants = issuers { true } else { false }
    }

    /// The issuer under which a token's subject is known; nil for a token of another issuer.
    ///
    /// - Parameters:
    ///   - found: the token's `iss`.
    ///   - tenant: the token's `tid`.
    func issuer(_ found: String, tenant: String?, configured: String) -> String? {
        switch issuers {
        case .configured:
            return found.isSpelt(as: configured) ? configured : nil
        case .alsoSpelt(let others):
            return ([configured] + others).contains { found.isSpelt(as: $0) } ? configured : nil
        case .tenants:
            guard let tenant, TenantTemplate.isTenant(tenant) else { return nil }
            let issuer = TenantTemplate.filled(configured, with: tenant)
            return found.isSpelt(as: issuer) ? issuer : nil
        }
    }

    /// Whether a callback's `iss` may come from the configured provider.
    func acceptsResponseIssuer(_ found: String, configured: String) -> Bool {
        guard case .tenants = issuers else { return found.isSpelt(as: configured) }
        return TenantTemplate.tenant(in: found, by: configured) != nil
    }
}

/// The directories at Microsoft whose people are accepted.
struct AcceptedTenants: Sendable, Hashable {
    /// The only directories that are accepted; nil for all.
    var only: Set<String>?
    var takesPersonalAccounts: Bool

    /// The directory of all personal accounts.
    static let personalAccounts = "9188040d-6c67-4c5b-b112-36a304b66dad"

    func accept(_ tenant: String) -> Bool {
        if !takesPersonalAccounts, tenant == Self.personalAccounts { return false }
        return only?.contains(tenant) ?? true
    }
}

/// The issuer of a provider that has one for each organization, as its document writes it.
enum TenantTemplate {
    static let placeholder = "{tenantid}"

    static func filled(_ template: String, with tenant: String) -> String {
        template.replacing(placeholder, with: tenant)
    }

    /// The tenant that stands in an issuer; nil for an issuer that the template doesn't make.
    static func tenant(in issuer: String, by template: String) -> String? {
        let parts = template.split(separator: placeholder, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, issuer.hasPrefix(parts[0]), issuer.hasSuffix(parts[1]),
            issuer.utf8.count == parts[0].utf8.count + 36 + parts[1].utf8.count
        else { return nil }
        let tenant = String(issuer.dropFirst(parts[0].count).dropLast(parts[1].count))
        return isTenant(tenant) && filled(template, with: tenant).isSpelt(as: issuer) ? tenant : nil
    }

    /// A GUID in lower case, and nothing that could be a path.
    static func isTenant(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        for (index, byte) in text.utf8.enumerated() {
            switch index {
            case 8, 13, 18, 23:
                guard byte == UInt8(ascii: "-") else { return false }
            default:
                guard
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
                else { return false }
            }
        }
        return true
    }
}
