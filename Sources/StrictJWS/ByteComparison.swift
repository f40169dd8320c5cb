package import Crypto

/// Comparison whose time says nothing about where two values differ.
package enum ConstantTime {
    /// False when either is empty: an absent value never equals an absent value.
    package static func areEqual(_ text: Span<UInt8>, _ bytes: [UInt8]) -> Bool {
        guard text.count == bytes.count, !bytes.isEmpty else { return false }
        var difference: UInt8 = 0
        for index in text.indices {
            difference |= text[index] ^ bytes[index]
        }
        return difference == 0
    }

    package static func areEqual(_ text: String, _ bytes: [UInt8]) -> Bool {
        text.withUTF8Span { areEqual($0, bytes) }
    }

    /// Whether bytes are this digest in lowercase hexadecimal, as clients write hashed nonces.
    package static func areEqual(_ text: Span<UInt8>, hexadecimal digest: SHA256Digest) -> Bool {
        guard text.count == 2 * SHA256Digest.byteCount else { return false }
        var difference: UInt8 = 0
        var index = 0
        for byte in digest {
            difference |= text[index] ^ digit(byte >> 4)
            difference |= text[index + 1] ^ digit(byte & 15)
            index += 2
        }
        return difference == 0
    }

    /// Returns a hexadecimal digit without a branch. The letters begin 39 characters behind the digits' end.
    private static func digit(_ value: UInt8) -> UInt8 {
        UInt8(ascii: "0") + value + (value + 6) >> 4 * 39
    }
}

extension String {
    /// The text's bytes, without a copy where the system can.
    package func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            body(utf8.span)
        } else {
            body(ContiguousArray(utf8).span)
        }
    }

    /// Byte by byte: `==` takes canonically equivalent texts for equal.
    package func isSpelt(as other: String) -> Bool {
        withUTF8Span { own in
            other.withUTF8Span { other in
                guard own.count == other.count else { return false }
                for index in own.indices where own[index] != other[index] { return false }
                return true
            }
        }
    }
}
