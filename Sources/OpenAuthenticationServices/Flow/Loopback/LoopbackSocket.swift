/// A socket, or an end of a pair, that never blocks. Its owner closes it.
struct LoopbackSocket: Sendable {
    let descriptor: Int32

    enum Family: Sendable {
        case ipv4, ipv6
    }

    enum Acceptance: Sendable {
        case connection(LoopbackSocket)
        case nobody
        /// The process has no descriptors left.
        case exhausted
    }

    enum Reading: Sendable {
        case bytes(ArraySlice<UInt8>)
        case nothing
        /// The other side has finished, or is gone.
        case end
    }
}
