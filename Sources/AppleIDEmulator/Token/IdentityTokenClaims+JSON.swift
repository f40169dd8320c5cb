import AppleIDTypes

extension IdentityTokenClaims {
    /// The claims in the order real tokens have them. What is nil is absent; `is_private_email` is not false but
    /// absent, unless a quirk has it otherwise.
    func json(_ quirks: Set<EmulatorConfiguration.Quirk>) -> JSONText {
        func flag(_ value: Bool?) -> JSONText? {
            value.map { quirks.contains(.claimsAsText) ? .string($0 ? "true" : "false") : .bool($0) }
        }
        let isPrivateEmail = isPrivateEmail ?? (email != nil && quirks.contains(.privateEmailFalse) ? false : nil)
        let expiresAt = quirks.contains(.tenMinuteIdentityToken) ? min(expiresAt, issuedAt + 600) : expiresAt
        let issuer = quirks.contains(.tokenIssuerAccount) ? DiscoveryController.accountIssuer : issuer
        return .object([
            ("iss", .string(issuer)),
            ("aud", .string(audience.rawValue)),
            ("exp", .integer(expiresAt)),
            ("iat", .integer(issuedAt)),
            ("sub", .string(subject.rawValue)),
            ("transfer_sub", .string(transferSubject?.rawValue)),
            ("nonce", .string(nonce)),
            ("c_hash", .string(codeHash)),
            ("at_hash", .string(accessTokenHash)),
            ("email", .string(email)),
            ("email_verified", flag(emailVerified)),
            ("is_private_email", flag(isPrivateEmail)),
            ("auth_time", authenticatedAt.map { .integer($0) }),
            ("nonce_supported", nonceSupported.map { .bool($0) }),
            ("org_id", .string(organizationID)),
            ("real_user_status", realUserStatus.map { .integer(Int64($0.rawValue)) }),
        ])
    }
}
