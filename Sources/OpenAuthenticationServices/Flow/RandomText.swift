import AccountConnection
import Foundation

/// Unguessable text from the system's random numbers.
enum RandomText {
    /// Makes base64url text without padding from the given number of random bytes.
    static func make(byteCount: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).base64URL
    }
}
