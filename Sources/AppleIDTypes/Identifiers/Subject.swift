/// A person as one team sees them (`sub`): stable over all apps and Services IDs of that team, different in every
/// other.
///
/// Opaque, at most 255 characters; the shape seen in practice is no rule.
public struct Subject: AppleWord {
    /// As Apple spells it.
    public let rawValue: String

    /// Not checked: any text is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
