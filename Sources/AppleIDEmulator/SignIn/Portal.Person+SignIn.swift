extension Portal.Person {
    static let maximumPasswordLength = 255

    /// Whether the account has two-factor authentication; all have, unless the portal says otherwise.
    var hasTwoFactor: Bool { twoFactor ?? true }

    /// Anything is right for somebody whose password nobody declared.
    func accepts(password given: String) -> Bool {
        guard !given.isEmpty, given.unicodeScalars.count <= Self.maximumPasswordLength else { return false }
        guard let password else { return true }
        return SecretText.areEqual(given, password)
    }

    /// No message was sent, so any six digits are right, with or without spaces around and between them.
    static func accepts(code given: String) -> Bool {
        guard given.utf8.count <= 32 else { return false }
        let digits = given.utf8.filter { $0 != UInt8(ascii: " ") }
        return digits.count == 6 && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
