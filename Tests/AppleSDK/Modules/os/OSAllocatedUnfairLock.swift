// os/osallocatedunfairlock
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    // os/osallocatedunfairlock/init(uncheckedstate:)
    public init(uncheckedState initialState: State) {}
    // os/osallocatedunfairlock/withlockunchecked(_:)
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R { fatalError() }
}
