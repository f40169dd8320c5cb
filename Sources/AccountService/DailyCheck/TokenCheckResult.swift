/// What Apple said to a refresh token.
public enum TokenCheckResult: Hashable, Sendable {
    /// It lives. Where Apple gave another one, that is kept in its place, sealed for the same row.
    case alive(replacement: [UInt8]?)
    /// Only Apple's own word makes it so.
    case dead
    /// Apple has answered, and nothing can be learnt from it; or the token does not open. It is not asked about again
    /// before a day is over.
    case unusable
    /// Nothing is known: Apple did not answer, or not to us.
    case unknown
}
