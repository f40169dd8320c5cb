/// One rule that every token has to pass.
///
/// A verification applies the list in order and stops at the first rule that throws; an examination applies all it can,
/// and asks the same rule for words. So the two cannot disagree.
protocol VerificationRule: Sendable {
    /// In a word or two, for people.
    var name: String { get }

    /// Throws the code that the rule stands for.
    func check(_ evidence: inout Evidence) throws(AppleIDError)

    /// Why an examination should leave the rule out: an earlier failure left nothing to look at, or nothing was
    /// expected. Nil when it applies. Never asked by a verification.
    func obstacle(in evidence: borrowing Evidence) -> String?

    /// What the rule found good, in one sentence. Never asked by a verification.
    func finding(in evidence: borrowing Evidence) -> String
}

extension VerificationRule {
    func obstacle(in evidence: borrowing Evidence) -> String? {
        evidence.claims == nil ? "the payload could not be read" : nil
    }
}
