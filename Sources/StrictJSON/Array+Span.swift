extension Array {
    /// Lends the elements as a span. `span` does so too, but Apple's systems have that of `Array` only since 2025.
    @inlinable
    func withSpan<Result>(_ body: (Span<Element>) -> Result) -> Result {
        unsafe withUnsafeBufferPointer { elements in body(unsafe elements.span) }
    }
}
