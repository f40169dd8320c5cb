/// What ``EmulatorTransport`` throws in place of a connection error.
public struct EmulatorUnreachable: Error, Equatable, CustomStringConvertible {
    public let path: String

    public var description: String { "the emulator is told not to be reachable at \(path)" }
}
