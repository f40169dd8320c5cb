import AppleIDTypes

/// The walk over the rules: those that need no key, the key, and what follows for one kind of token.
enum Verification {
    private static let keyRule = KeyRule()

    /// Applies the rules until one throws, without waiting for anybody.
    /// - Returns: the identifier of the key that the token names, if that key isn't known. The caller waits for the
    ///   key, and verifies again with it. Nil when every rule passed.
    static func verify<Rules: TokenRules>(
        _ evidence: inout Evidence, keys: KeyCache, rules: Rules.Type
    ) throws(AppleIDError) -> KeyID? {
        var check = RuleCheck()
        try RulesBeforeKey.show(to: &check, &evidence)
        if evidence.key == nil {
            let keyID = try keyRule.keyID(in: evidence)
            guard let key = keys.cachedKey(keyID) else { return keyID }
            evidence.key = key
        }
        try Rules.show(to: &check, &evidence)
        return nil
    }

    /// Applies every rule that can be applied.
    static func examine<Rules: TokenRules>(
        _ evidence: inout Evidence, keys: KeyCache, rules: Rules.Type
    ) async -> [CheckResult] {
        var examination = RuleExamination()
        RulesBeforeKey.show(to: &examination, &evidence)
        examination.add(await examineKey(&evidence, keys))
        Rules.show(to: &examination, &evidence)
        return examination.checks
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
