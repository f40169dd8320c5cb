extension String {
    /// The text's bytes, without a copy where the system can.
    func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            body(utf8.span)
        } else {
            body(Array(utf8).span)
        }
    }

    /// Byte by byte: `==` takes canonically equivalent texts for equal.
    func isSpelt(as other: String) -> Bool {
        withUTF8Span { own in
            other.withUTF8Span { other in
                guard own.count == other.count else { return false }
                for index in own.indices where own[index] != other[index] { return false }
                return true
            }
        }
    }
}
