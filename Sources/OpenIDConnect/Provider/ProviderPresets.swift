extension ProviderConfiguration {
    /// Returns the configuration of Google.
    ///
    /// Google's tokens spell the issuer with `https://` or without. Google documents both.
    /// - Parameters:
    ///   - clientID: the identifier of your web client, which ends with `.apps.googleusercontent.com`.
    ///   - secret: the web client's secret; nil if only apps sign in.
    ///   - appClientIDs: the identifiers of your clients for iOS, Android and desktops.
    ///   - hostedDomain: accepts only people of this Google Workspace domain (`hd`).
    /// - Throws: ``OpenIDConnectError/Code/invalidConfiguration``.
    public static func google(
        clientID: String, secret: String?, appClientIDs: [String] = [], hostedDomain: String? = nil
    ) throws(OpenIDConnectError) -> Self {
        var rules = ProviderRules.standard
        let issuer = "https://accounts.google.com"
        rules.issuers = .alsoSpelt([String(issuer.dropFirst("https://".count))])
        rules.hostedDomain = hostedDomain
        // Google's tokens never say when the person authenticated.
        rules.tellsAuthenticationTime = false
        return try Self(
            id: ProviderID(preset: "google"), issuer: issuer, clientID: clientID,
            credential: ClientCredential.optionalSecret(secret), appClientIDs: appClientIDs,
            scopes: ["openid", "email", "profile"], button: ProviderButton(name: "Google", mark: "google"),
            rules: rules)
    }

    /// The people whom Microsoft signs in.
    public enum MicrosoftAccounts: Hashable, Sendable {
        /// The people of any organization, and personal accounts.
        case all
        /// The people of any organization.
        case organizations
        /// Personal accounts.
        case personal
        /// The people of one organization, by the identifier of its directory: a GUID in lower case.
        case directory(String)
    }

    /// Returns the configuration of Microsoft.
    ///
    /// Microsoft has an issuer for each organization. With ``MicrosoftAccounts/all`` and
    /// ``MicrosoftAccounts/organizations``, the discovery document holds `{tenantid}` in place of a name, each token
    /// names its own organization (`tid`), and each key may name the issuer that it is for; all of them have to agree.
    ///
    /// An organization's administrator can write any email address at Microsoft. So an address counts as verified
    /// only if the token says that the owner of its domain was verified (`xms_edov`), which you have to ask for among
    /// the optional claims of your app registration.
    /// - Parameters:
    ///   - credential: the secret or key of your app registration; nil if only apps sign in.
    ///   - acceptedTenants: accepts only people of these organizations; nil for all. It goes with
    ///     ``MicrosoftAccounts/all`` and ``MicrosoftAccounts/organizations`` alone.
    /// - Throws: ``OpenIDConnectError/Code/invalidConfiguration``.
    public static func microsoft(
        _ accounts: MicrosoftAccounts, clientID: String, credential: ClientCredential?, appClientIDs: [String] = [],
        acceptedTenants: Set<String>? = nil
    ) throws(OpenIDConnectError) -> Self {
        let host = "https://login.microsoftonline.com"
        let issuer: String
        var rules = ProviderRules.standard
        rules.emailProof = .domainOwnerVerified
        // Microsoft's tokens have the claim only if it was added to the app registration.
        rules.tellsAuthenticationTime = false
        switch accounts {
        case .all, .organizations:
            issuer = "\(host)/\(TenantTemplate.placeholder)/v2.0"
            let name = accounts == .all ? "common" : "organizations"
            rules.documentURL = "\(host)/\(name)/v2.0/.well-known/openid-configuration"
            rules.issuers = .tenants(
                AcceptedTenants(only: acceptedTenants, takesPersonalAccounts: accounts == .all))
        case .personal:
            try requireNoTenants(acceptedTenants, accounts: "personal accounts")
            issuer = "\(host)/\(AcceptedTenants.personalAccounts)/v2.0"
        case .directory(let tenant):
            try requireNoTenants(acceptedTenants, accounts: "the accounts of one directory")
            guard TenantTemplate.isTenant(tenant) else {
                throw OpenIDConnectError(
                    .invalidConfiguration, "the identifier of a directory is a GUID in lower case")
            }
            issuer = "\(host)/\(tenant)/v2.0"
        }
        guard acceptedTenants?.allSatisfy(TenantTemplate.isTenant) ?? true else {
            throw OpenIDConnectError(.invalidConfiguration, "the identifier of a directory is a GUID in lower case")
        }
        return try Self(
            id: ProviderID(preset: "microsoft"), issuer: issuer, clientID: clientID, credential: credential,
            appClientIDs: appClientIDs, scopes: ["openid", "email", "profile"],
            button: ProviderButton(name: "Microsoft", mark: "microsoft"), rules: rules)
    }

    /// Refuses accepted tenants where the issuer already says whose people sign in: they would have no effect.
    private static func requireNoTenants(_ tenants: Set<String>?, accounts: String) throws(OpenIDConnectError) {
        guard tenants == nil else {
            throw OpenIDConnectError(
                .invalidConfiguration,
                "accepted tenants have no effect on \(accounts); leave them out, or accept all accounts or all "
                    + "organizations")
        }
    }

    /// Returns the configuration of Facebook's Limited Login, whose identity tokens come from apps on Apple's systems.
    ///
    /// Facebook has no OpenID Connect flow for browsers, and its OAuth access tokens prove nothing about who presents
    /// them. So this library takes neither. Facebook's tokens don't say whether an address is verified: it never counts
    /// as verified.
    /// - Parameter issuer: the issuer of the tokens. Facebook serves the document and the keys at two hosts,
    ///   `https://www.facebook.com` and `https://limited.facebook.com`.
    /// - Throws: ``OpenIDConnectError/Code/invalidConfiguration``.
    public static func facebookLimitedLogin(
        appID: String, issuer: String = "https://www.facebook.com"
    ) throws(OpenIDConnectError) -> Self {
        var rules = ProviderRules.standard
        // With the slash, as Facebook documents it: the other spelling is redirected.
        rules.documentURL = issuer + "/.well-known/openid-configuration/"
        rules.emailProof = .never
        rules.tellsAuthenticationTime = false
        return try Self(
            id: ProviderID(preset: "facebook"), issuer: issuer, clientID: appID, credential: nil, appClientIDs: [],
            scopes: ["openid", "email", "public_profile"],
            button: ProviderButton(name: "Facebook", mark: "facebook"), rules: rules)
    }
}
