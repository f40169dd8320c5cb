import AppleIDTypes

/// The walk over the rules, one for identity tokens and one for notifications.
struct Verification {
    /// What can be judged before the key is known.
    private static let beforeKey: [any VerificationRule] = [SizeRule(), FormRule(), HeaderRule(), AlgorithmRule()]
    private static let keyRule = KeyRule()

    /// In order, for identity tokens. The kind comes before the rest so that a notification is called one whatever else
    /// it lacks.
    static let ofIdentityTokens = Self(
        afterKey: [
            SignatureRule(), PayloadRule(), IdentityTokenRule(), IssuerRule(), AudienceRule(), ExpiryRule(),
            IssuedAtRule(), SubjectRule(), NonceRule(), CodeHashRule(), AccessTokenHashRule(),
        ])

    /// In order, for server-to-server notifications.
    static let ofNotifications = Self(
        afterKey: [
            SignatureRule(), PayloadRule(), NotificationRule(), IssuerRule(), AudienceRule(),
            ExpiryRule(isRequired: false), IssuedAtRule(), NotificationAgeRule(), IdentifierRule(), EventsRule(),
        ])

    private let afterKey: [any VerificationRule]

    /// Applies the rules until one throws.
    func verify(_ evidence: inout Evidence, keys: KeyCache) async throws(AppleIDError) {
        for rule in Self.beforeKey {
            try rule.check(&evidence)
        }
        let keyID = try Self.keyRule.keyID(in: evidence)
        if let key = keys.cachedKey(keyID) {
            evidence.key = key
        } else {
            evidence.key = try await keys.key(keyID)
        }
        for rule in afterKey {
            try rule.check(&evidence)
        }
    }

    /// Applies every rule that can be applied.
    func examine(_ evidence: inout Evidence, keys: KeyCache) async -> [CheckResult] {
        var checks: [CheckResult] = []
        for rule in Self.beforeKey {
            checks.append(examine(rule, &evidence))
        }
        checks.append(await examineKey(&evidence, keys))
        for rule in afterKey {
            checks.append(examine(rule, &evidence))
        }
        return checks
    }

    private func examine(_ rule: any VerificationRule, _ evidence: inout Evidence) -> CheckResult {
        if let obstacle = rule.obstacle(in: evidence) {
            return CheckResult(name: rule.name, outcome: .skipped, explanation: obstacle)
        }
        do throws(AppleIDError) {
            try rule.check(&evidence)
            return CheckResult(name: rule.name, outcome: .passed, explanation: rule.finding(in: evidence))
        } catch {
            return CheckResult(name: rule.name, outcome: .failed(error.code), explanation: error.reason)
        }
    }

    private func examineKey(_ evidence: inout Evidence, _ keys: KeyCache) async -> CheckResult {
        let rule = Self.keyRule
        if let obstacle = rule.obstacle(in: evidence) {
            return CheckResult(name: rule.name, outcome: .skipped, explanation: obstacle)
        }
        do throws(AppleIDError) {
            evidence.key = try await keys.key(rule.keyID(in: evidence))
            return CheckResult(name: rule.name, outcome: .passed, explanation: rule.finding(in: evidence))
        } catch {
            return CheckResult(name: rule.name, outcome: .failed(error.code), explanation: error.reason)
        }
    }
}
