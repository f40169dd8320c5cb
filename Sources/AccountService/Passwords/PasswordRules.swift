import Foundation

/// Which new passwords the service takes.
///
/// A password has a minimum length and at most 128 characters, of any kind and in any mixture. It is not on the list
/// of common passwords. And it is not made of nothing but digits and words that others know: the parts of the
/// person's name and address, and of the service's name and host. Case, accents, spaces and punctuation make no
/// difference there.
public struct PasswordRules: Sendable {
    /// The most characters of a password.
    public static let maximumLength = 128

    /// The fewest characters of a new password.
    public let minimumLength: Int
    private let serviceWords: Set<String>

    /// Makes the rules of a service.
    /// - Parameters:
    ///   - serviceName: The name of the service, as people know it, if it has one.
    ///   - host: The host of the public URL.
    package init(minimumLength: Int, serviceName: String?, host: String) {
        self.minimumLength = minimumLength
        // The numbers of an IP address are no words.
        serviceWords = (Self.words(of: serviceName ?? "").union(Self.words(of: host)))
            .filter { !$0.allSatisfy(\.isNumber) }
    }

    /// Refuses a password that is too short, too long, common, or made of what others know about the person.
    ///
    /// The rules look at nothing else, so the answer tells nothing about who has an account.
    /// - Throws: ``AccountError/Code/passwordRefused`` with ``AccountError/refusal``;
    ///   ``AccountError/Code/invalidText`` for U+0000.
    public func check(_ password: Password, name: PersonName?, email: String?) throws(AccountError) {
        guard !password.text.unicodeScalars.contains("\0") else {
            throw AccountError(.invalidText, "a password contains U+0000")
        }
        if let reason = reason(against: password, name: name, email: email) {
            throw AccountError(refusing: Refusal(reason, minimumLength: minimumLength))
        }
    }

    private func reason(against password: Password, name: PersonName?, email: String?) -> Refusal.Reason? {
        if password.length < minimumLength { return .tooShort }
        if password.length > Self.maximumLength { return .tooLong }
        if CommonPasswords.contains(password.text) { return .common }
        let words = (name?.parts ?? []).reduce(into: serviceWords) { $0.formUnion(Self.words(of: $1 ?? "")) }
            .union(Self.words(of: email ?? ""))
        return Self.isMade(Self.folded(password.text), of: words) ? .personal : nil
    }

    /// The words of a text: its parts between spaces and punctuation, and all of them together.
    private static func words(of text: String) -> Set<String> {
        let parts = text.split { !$0.isLetter && !$0.isNumber }.map { folded(String($0)) }
        return Set(parts + [folded(text)]).subtracting([""])
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .filter { $0.isLetter || $0.isNumber }
    }

    /// Whether a text is some of the words one after the other, with digits between them, and at least one word.
    private static func isMade(_ text: String, of words: Set<String>) -> Bool {
        let text = Array(text)
        let words = words.map { Array($0) }
        // For each place: whether the text before it is made of digits alone, and whether of words and digits.
        var digits = [Bool](repeating: false, count: text.count + 1)
        var made = digits
        digits[0] = true
        for place in text.indices where digits[place] || made[place] {
            if text[place].isNumber {
                digits[place + 1] = digits[place + 1] || digits[place]
                made[place + 1] = made[place + 1] || made[place]
            }
            for word in words where text[place...].starts(with: word) { made[place + word.count] = true }
        }
        return made[text.count]
    }
}

extension PasswordRules {
    /// Why a new password is not taken.
    public struct Refusal: Hashable, Sendable {
        /// The kind of a reason.
        @nonexhaustive
        public enum Reason: String, Hashable, Sendable, CaseIterable {
            /// Fewer characters than ``minimumLength``.
            case tooShort = "too_short"
            /// More characters than ``PasswordRules/maximumLength``.
            case tooLong = "too_long"
            /// On the list of common passwords.
            case common
            /// Made of the person's name or address, or of the name or address of the service.
            case personal
        }

        /// The rule that the password breaks.
        public let reason: Reason
        /// The fewest characters of a new password.
        public let minimumLength: Int

        package init(_ reason: Reason, minimumLength: Int) {
            self.reason = reason
            self.minimumLength = minimumLength
        }

        var explanation: String {
            switch reason {
            case .tooShort: "a password has at least \(minimumLength) characters"
            case .tooLong: "a password has at most \(PasswordRules.maximumLength) characters"
            case .common: "this password is on the list of common ones"
            case .personal: "this password is made of the name or address of the person or the service"
            }
        }
    }
}
