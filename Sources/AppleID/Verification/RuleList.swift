import AppleIDTypes

/// Rules in the order in which they apply. A parameter pack rather than an array: each is called directly.
struct RuleList<each Rule: VerificationRule>: Sendable {
    private let rules: (repeat each Rule)

    init(_ rule: repeat each Rule) {
        rules = (repeat each rule)
    }

    /// Applies the rules until one throws.
    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        for rule in repeat each rules {
            try rule.check(&evidence)
        }
    }

    /// Applies every rule that can be applied.
    func examine(_ evidence: inout Evidence) -> [CheckResult] {
        var checks: [CheckResult] = []
        for rule in repeat each rules {
            checks.append(rule.examine(&evidence))
        }
        return checks
    }
}

extension VerificationRule {
    fileprivate func examine(_ evidence: inout Evidence) -> CheckResult {
        if let obstacle = obstacle(in: evidence) {
            return CheckResult(name: name, outcome: .skipped, explanation: obstacle)
        }
        do throws(AppleIDError) {
            try check(&evidence)
            return CheckResult(name: name, outcome: .passed, explanation: finding(in: evidence))
        } catch {
            return CheckResult(name: name, outcome: .failed(error.code), explanation: error.reason)
        }
    }
}
