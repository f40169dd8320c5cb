/// The ten characters that name a developer team. A subject identifies a person within one team only.
public struct TeamID: AppleWord {
    /// As Apple spells it.
    public let rawValue: String

    /// Not checked: any text is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
