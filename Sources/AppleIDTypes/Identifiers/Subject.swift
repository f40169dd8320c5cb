/// A person as one team sees them (`sub`): stable over all apps and Services IDs of that team, different in every other.
///
/// Opaque, at most 255 characters; the shape seen in practice is no rule.
public struct Subject: AppleWord {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
