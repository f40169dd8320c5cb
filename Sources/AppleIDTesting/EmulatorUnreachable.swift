/// What ``EmulatorTransport`` throws in place of a connection error.
public struct EmulatorUnreachable: Error, Equatable, CustomStringConvertible {
    /// Of the request's URL, such as `/auth/token`.
    public let path: String

    /// For the output of a test that did not expect it.
    public var description: String { "the emulator is told not to be reachable at \(path)" }
}
