/// What the loopback listener grants to whoever connects: any program and any page of this machine may.
package struct LoopbackLimits: Sendable {
    /// Bytes of a request's head.
    package var headSize = 8 * 1024
    /// From accepting a connection to closing it.
    package var connection: Duration = .seconds(10)
    /// From the end of an answer to closing the connection.
    package var lingering: Duration = .seconds(1)
    /// When there are more connections, the oldest is closed.
    package var connections = 64

    package init() {}
}
