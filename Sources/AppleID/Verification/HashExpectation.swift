/// The code or access token that came beside an identity token, and whether the token must be bound to it.
public enum HashExpectation: Hashable, Sendable {
    /// The hash claim has to match where there is one.
    case ifPresent(String)
    /// The hash claim has to be there and to match.
    case required(String)
}
