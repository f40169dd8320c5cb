import AppleIDTypes

/// One rule that every token has to pass.
///
/// A verification applies the list in order and stops at the first rule that throws; an examination applies all it can,
/// and asks the same rule for words. So the two cannot disagree.
protocol VerificationRule: Sendable {
    /// The name in a word or two, for people.
    var name: String { get }

    /// Throws the code that the rule stands for.
    func check(_ evidence: inout Evidence) throws(AppleIDError)

    /// Returns the reason why an examination skips the rule: an earlier failure left nothing to check, or nothing was
    /// expected. Nil when the rule applies. A verification never calls this method.
    func obstacle(in evidence: borrowing Evidence) -> String?

    /// Returns one sentence about a token that complies. A verification never calls this method.
    func finding(in evidence: borrowing Evidence) -> String
}

extension VerificationRule {
    func obstacle(in evidence: borrowing Evidence) -> String? {
        evidence.claims == nil ? "the payload could not be read" : nil
    }
}

/// The rules for one kind of token.
protocol TokenRules {
    /// Shows the visitor each rule, in the order in which they apply.
    static func show<Visitor: RuleVisitor>(
        to visitor: inout Visitor, _ evidence: inout Evidence
    ) throws(Visitor.Failure)
}

/// An action on each rule. Generic functions rather than an array of rules: each is called directly.
protocol RuleVisitor {
    associatedtype Failure: Error
    mutating func visit(_ rule: some VerificationRule, _ evidence: inout Evidence) throws(Failure)
}

/// Applies the rules until one throws.
struct RuleCheck: RuleVisitor {
    func visit(_ rule: some VerificationRule, _ evidence: inout Evidence) throws(AppleIDError) {
        try rule.check(&evidence)
    }
}

/// Applies every rule that can be applied.
struct RuleExamination: RuleVisitor {
    private(set) var checks: [CheckResult] = []

    mutating func visit(_ rule: some VerificationRule, _ evidence: inout Evidence) throws(Never) {
        if let obstacle = rule.obstacle(in: evidence) {
            checks.append(CheckResult(name: rule.name, outcome: .skipped, explanation: obstacle))
            return
        }
        do throws(AppleIDError) {
            try rule.check(&evidence)
            checks.append(CheckResult(name: rule.name, outcome: .passed, explanation: rule.finding(in: evidence)))
        } catch {
            checks.append(CheckResult(name: rule.name, outcome: .failed(error.code), explanation: error.reason))
        }
    }

    mutating func add(_ check: CheckResult) {
        checks.append(check)
    }
}

/// The rules that need no key.
enum RulesBeforeKey: TokenRules {
    static func show<Visitor: RuleVisitor>(
        to visitor: inout Visitor, _ evidence: inout Evidence
    ) throws(Visitor.Failure) {
        try visitor.visit(SizeRule(), &evidence)
        try visitor.visit(FormRule(), &evidence)
        try visitor.visit(HeaderRule(), &evidence)
        try visitor.visit(AlgorithmRule(), &evidence)
    }
}

/// The rules for identity tokens, once the key is known. The kind comes first, so that a notification is called one
/// whatever else it lacks.
enum IdentityTokenRules: TokenRules {
    static func show<Visitor: RuleVisitor>(
        to visitor: inout Visitor, _ evidence: inout Evidence
    ) throws(Visitor.Failure) {
        try visitor.visit(SignatureRule(), &evidence)
        try visitor.visit(PayloadRule(), &evidence)
        try visitor.visit(IdentityTokenRule(), &evidence)
        try visitor.visit(IssuerRule(), &evidence)
        try visitor.visit(AudienceRule(), &evidence)
        try visitor.visit(ExpiryRule(), &evidence)
        try visitor.visit(IssuedAtRule(), &evidence)
        try visitor.visit(SubjectRule(), &evidence)
        try visitor.visit(NonceRule(), &evidence)
        try visitor.visit(CodeHashRule(), &evidence)
        try visitor.visit(AccessTokenHashRule(), &evidence)
    }
}

/// The rules for server-to-server notifications, once the key is known.
enum NotificationRules: TokenRules {
    static func show<Visitor: RuleVisitor>(
        to visitor: inout Visitor, _ evidence: inout Evidence
    ) throws(Visitor.Failure) {
        try visitor.visit(SignatureRule(), &evidence)
        try visitor.visit(PayloadRule(), &evidence)
        try visitor.visit(NotificationRule(), &evidence)
        try visitor.visit(IssuerRule(), &evidence)
        try visitor.visit(AudienceRule(), &evidence)
        try visitor.visit(ExpiryRule(isRequired: false), &evidence)
        try visitor.visit(IssuedAtRule(), &evidence)
        try visitor.visit(NotificationAgeRule(), &evidence)
        try visitor.visit(IdentifierRule(), &evidence)
        try visitor.visit(EventsRule(), &evidence)
    }
}
