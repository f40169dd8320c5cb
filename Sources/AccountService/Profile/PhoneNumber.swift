public import AppleIDTypes

/// A phone number in the form of E.164: `+`, then 8 to 15 digits, of which the first is not zero. Nobody has verified
/// it.
public struct PhoneNumber: Hashable, Sendable, Redacted {
    /// The number, as `+491701234567`.
    public let rawValue: String

    /// Checks a number that a person typed.
    /// - Throws: ``AccountError/Code/requestInvalid`` for the field `phone`.
    public init(_ text: String) throws(AccountError) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "+"), (8...15).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits.first != UInt8(ascii: "0")
        else {
            throw AccountError(
                .requestInvalid, "a phone number is a plus sign, the country’s code and the number: 8 to 15 digits",
                field: "phone")
        }
        rawValue = text
    }
}
