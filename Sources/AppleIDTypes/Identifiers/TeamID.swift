/// The ten characters that name a developer team. A subject identifies a person within one team only.
public struct TeamID: AppleWord {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
