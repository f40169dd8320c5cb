public import AppleIDTypes

/// By which word Apple refused, as the cause of the error that says what it means here. For diagnostics.
///
/// Printing or mirroring it shows status and word, and not the detail.
public struct AppleRefusal: Error, Hashable, Redacted {
    /// Of HTTP; 400 for all that Apple documents.
    public let status: Int
    /// One of the words that Apple documents.
    public let word: AppleErrorCode
    /// Apple's `error_description`, at most eighty printable characters: undocumented, for people, and not for logs,
    /// since nothing says what it may hold.
    public let detail: String?

    /// Without the detail.
    public var description: String { "Apple answered \(status) with \(word)" }
}
