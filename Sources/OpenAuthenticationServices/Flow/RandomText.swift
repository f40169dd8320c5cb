/// Unguessable text from the system's random numbers.
package enum RandomText {
    /// - Returns: base64url without padding.
    package static func make(byteCount: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
