/// How far a deletion is; a word of a newer server decodes unchanged.
public struct DeletionStatus: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Apple is being asked to end the authorization.
    public static let waiting = Self(rawValue: "waiting")
    /// The service's operator must act before Apple is asked again. To a person it is as good as ``waiting``.
    public static let parked = Self(rawValue: "parked")
    /// Nothing is left to do.
    public static let done = Self(rawValue: "done")
    /// The person signed in again before Apple was told: there is a new account, and Apple's authorization is its own.
    public static let withdrawn = Self(rawValue: "withdrawn")
}
