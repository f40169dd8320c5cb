/// What takes the place of a sealed value that has not changed since it was read.
public struct ResealedValue: Hashable, Sendable {
    public var value: SealedValue
    public var sealed: [UInt8]

    public init(_ value: SealedValue, sealed: [UInt8]) {
        self.value = value
        self.sealed = sealed
    }
}
