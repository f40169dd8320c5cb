import AppleIDTypes

/// The walk over the rules: those that need no key, the key, and what follows for one kind of token.
enum Verification {
    /// What can be judged before the key is known.
    private static let beforeKey = RuleList(SizeRule(), FormRule(), HeaderRule(), AlgorithmRule())
    private static let keyRule = KeyRule()

    /// In order, for identity tokens. The kind comes before the rest so that a notification is called one whatever else
    /// it lacks.
    static let identityTokenRules = RuleList(
        SignatureRule(), PayloadRule(), IdentityTokenRule(), IssuerRule(), AudienceRule(), ExpiryRule(),
        IssuedAtRule(), SubjectRule(), NonceRule(), CodeHashRule(), AccessTokenHashRule())

    /// In order, for server-to-server notifications.
    static let notificationRules = RuleList(
        SignatureRule(), PayloadRule(), NotificationRule(), IssuerRule(), AudienceRule(),
        ExpiryRule(isRequired: false), IssuedAtRule(), NotificationAgeRule(), IdentifierRule(), EventsRule())

    /// Applies the rules until one throws, without waiting for anybody.
    /// - Returns: the key that the token names, when it is not there: to be waited for and tried again with, as the
    ///   evidence's. Nil when every rule passed.
    static func verify<each Rule>(
        _ evidence: inout Evidence, keys: KeyCache, rules: RuleList<repeat each Rule>
    ) throws(AppleIDError) -> KeyID? {
        try beforeKey.check(&evidence)
        if evidence.key == nil {
            let keyID = try keyRule.keyID(in: evidence)
            guard let key = keys.cachedKey(keyID) else { return keyID }
            evidence.key = key
        }
        try rules.check(&evidence)
        return nil
    }

    /// Applies every rule that can be applied.
    static func examine<each Rule>(
        _ evidence: inout Evidence, keys: KeyCache, rules: RuleList<repeat each Rule>
    ) async -> [CheckResult] {
        var checks = beforeKey.examine(&evidence)
        checks.append(await examineKey(&evidence, keys))
        checks += rules.examine(&evidence)
        return checks
    }

    private static func examineKey(_ evidence: inout Evidence, _ keys: KeyCache) async -> CheckResult {
        if let obstacle = keyRule.obstacle(in: evidence) {
            return CheckResult(name: keyRule.name, outcome: .skipped, explanation: obstacle)
        }
        do throws(AppleIDError) {
            evidence.key = try await keys.key(keyRule.keyID(in: evidence))
            return CheckResult(name: keyRule.name, outcome: .passed, explanation: keyRule.finding(in: evidence))
        } catch {
            return CheckResult(name: keyRule.name, outcome: .failed(error.code), explanation: error.reason)
        }
    }
}
