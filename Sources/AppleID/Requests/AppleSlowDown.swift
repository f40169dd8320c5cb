import AppleIDTransport
import HTTPTypes

/// Apple's wish to be asked less often: a response with the status 429, or with a `Retry-After` (RFC 9110 §10.2.3). It
/// is the cause of an ``AppleIDError`` with the code ``AppleIDError/Code/appleUnavailable``.
///
/// Apple documents neither. Code that asks about many people waits for this time.
package struct AppleSlowDown: Error, Hashable, CustomStringConvertible {
    /// The maximum time that counts, in seconds: a day.
    private static let maximum: Int64 = 86_400

    /// The time that Apple asks to wait; nil if the response doesn't say.
    package let retryAfter: Duration?

    package init(retryAfter: Duration?) {
        self.retryAfter = retryAfter
    }

    /// Returns nil for any other response. A date in place of seconds isn't read.
    init?(_ response: AppleResponse) {
        let text = response.head.headerFields[values: .retryAfter].first
        let seconds = text.flatMap { Int64($0) }.map { min(max(0, $0), Self.maximum) }
        guard response.status == 429 || seconds != nil else { return nil }
        retryAfter = seconds.map { .seconds($0) }
    }

    package var description: String {
        "Apple wants to be asked less often" + (retryAfter.map { ", not for \($0.components.seconds) s" } ?? "")
    }
}
