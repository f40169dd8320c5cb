/// Names that Apple's portal takes for a web server: such as anybody's DNS could resolve.
enum PublicDomain {
    /// Two labels or more of letters, digits and hyphens (RFC 1123 §2.1). What a browser takes for an IP address, in
    /// whatever spelling, ends in a number and is none (URL Standard, "ends in a number"); nor is what stands for this
    /// machine, or the same with a dot at its end.
    static func isName(_ text: some StringProtocol) -> Bool {
        let labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, labels.count > 1, labels.allSatisfy(isLabel), let last = labels.last else {
            return false
        }
        return last != "localhost" && !isNumber(last)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// Decimal, octal or hexadecimal.
    private static func isNumber(_ label: Substring) -> Bool {
        label.allSatisfy(\.isNumber) || (label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit))
    }
}
