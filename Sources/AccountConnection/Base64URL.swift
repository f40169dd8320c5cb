package import Foundation

extension Data {
    /// These bytes as base64url without padding (RFC 4648, section 5).
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Reads base64url without padding. The result is nil for text with padding or another character.
    package init?(base64URL text: some StringProtocol) {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        self.init(
            base64Encoded: String(text).replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
