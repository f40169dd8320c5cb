import AppleIDTransport
import HTTPTypes

/// Apple's wish to be asked less often: an answer with the status 429, or one that names a time (RFC 9110 §10.2.3). It is
/// the cause of an ``AppleIDError`` with the code ``AppleIDError/Code/appleUnavailable``.
///
/// Apple documents neither. Who asks about many people goes by it.
package struct AppleSlowDown: Error, Hashable, CustomStringConvertible {
    /// The longest time that counts: a day.
    private static let longest: Int64 = 86_400

    /// How long Apple wants not to be asked; nil where it doesn't say.
    package let retryAfter: Duration?

    package init(retryAfter: Duration?) {
        self.retryAfter = retryAfter
    }

    /// Returns nil for a response that says nothing of the kind. A date in place of seconds isn't read.
    init?(_ response: AppleResponse) {
        let text = response.head.headerFields[values: .retryAfter].first
        let seconds = text.flatMap { Int64($0) }.map { min(max(0, $0), Self.longest) }
        guard response.status == 429 || seconds != nil else { return nil }
        retryAfter = seconds.map { .seconds($0) }
    }

    package var description: String {
        "Apple wants to be asked less often" + (retryAfter.map { ", not for \($0.components.seconds) s" } ?? "")
    }
}
