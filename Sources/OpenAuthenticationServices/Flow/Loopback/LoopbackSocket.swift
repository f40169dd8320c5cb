#if canImport(WinSDK)
    import WinSDK
#elseif os(WASI)
    import Foundation
#endif

/// A socket, or an end of a pair, that never blocks. Its owner closes it.
struct LoopbackSocket: Sendable {
    #if canImport(WinSDK)
        typealias Descriptor = SOCKET
    #else
        typealias Descriptor = Int32
    #endif

    let descriptor: Descriptor

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

#if os(WASI)
    // No listener here: every attempt to listen says so, and the flow then takes the device code.

    extension LoopbackSocket {
        static func listening(on family: Family, port: UInt16) throws -> Self { throw CocoaError(.featureUnsupported) }
        static func pair() throws -> (readable: Self, writable: Self) { throw CocoaError(.featureUnsupported) }
        static func wait(_ interests: [(socket: Self, writing: Bool)], limit: Int32) -> [Bool] { [] }

        func port() throws -> UInt16 { throw CocoaError(.featureUnsupported) }
        func accept() -> Acceptance { .nobody }
        func read(atMost count: Int) -> Reading { .end }
        func write(_ bytes: ArraySlice<UInt8>) -> Int? { nil }
        func signal() {}
        func endWriting() {}
        func close() {}
    }
#endif
