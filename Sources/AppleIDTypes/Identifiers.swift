/// The ten characters that name a developer team. A subject identifies a person within one team only.
public struct TeamID: AppleWord {
    /// The text as Apple spells it.
    public let rawValue: String

    /// Creates a team identifier from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The client that asks Apple: an app's bundle identifier, or a Services ID for the web. Case-sensitive, without team
/// prefix.
///
/// It is the `client_id` of requests and the `aud` of tokens.
public struct ClientID: AppleWord {
    /// The text as Apple spells it.
    public let rawValue: String

    /// Creates a client identifier from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A person as one team sees them (`sub`): stable over all apps and Services IDs of that team, different in every
/// other.
///
/// Opaque, at most 255 characters; the shape seen in practice is no rule.
public struct Subject: AppleWord {
    /// The text as Apple spells it.
    public let rawValue: String

    /// Creates a subject from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The name of a key: ten characters for a private key of the developer portal, any string for one of Apple's public
/// keys.
public struct KeyID: AppleWord {
    /// The text as Apple spells it.
    public let rawValue: String

    /// Creates a key identifier from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
