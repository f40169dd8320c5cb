@testable import AppleIDEmulator

extension Behaviour {
    /// The default behaviour with a change, for lists of arguments.
    static func with(_ change: (inout Behaviour) -> Void) -> Behaviour {
        var behaviour = Behaviour()
        change(&behaviour)
        return behaviour
    }
}
