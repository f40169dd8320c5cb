/// Apple's guess whether there is a real person. A hint: nobody should be turned away on it.
public enum ASUserDetectionStatus: Int, Sendable {
    /// Nothing is known; always so off Apple's platforms, since only devices make the guess.
    case unsupported = 0
    case unknown = 1
    case likelyReal = 2
}
