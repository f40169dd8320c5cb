public import AppleIDTypes

/// The code or access token that came beside an identity token, and whether the token must be bound to it. Printing or
/// mirroring it does not show which.
public enum HashExpectation: Hashable, Sendable, Redacted {
    /// The hash claim has to match where there is one.
    case ifPresent(String)
    /// The hash claim has to be there and to match.
    case required(String)
}
