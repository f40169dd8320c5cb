import Foundation
import TaskSignals

/// Listens on this machine until one request is the right one; all others get 404 (RFC 8252, section 7.3).
///
/// It has a thread of its own, so its waits and slow connections block no other work.
package final class LoopbackServer: Sendable {
    /// Decides about a request whose method is GET and whose `Host` is right.
    /// - Returns: the page for the right one, nil for any other.
    package typealias Judge = @Sendable (LoopbackRequest) -> LoopbackPage?

    package let port: UInt16
    /// The addresses listened on, as `Host` names them: `127.0.0.1:PORT`, `[::1]:PORT`, or both in this order.
    package let authorities: [String]

    private let arrived = OneShot<LoopbackRequest>()
    private let closed = OneShot<Void>()
    private let control: Lock<Control>

    private struct Control {
        /// nil once the thread has ended.
        var wake: LoopbackSocket?
        var isStopped = false
    }

    /// Listens at once, on 127.0.0.1 and on ::1, or on the one of them that exists.
    ///
    /// - Parameter port: 0 for one that the system chooses.
    /// - Throws: `POSIXError`, or `WinsockError` on Windows, when neither can be listened on.
    package init(port: UInt16 = 0, limits: LoopbackLimits = LoopbackLimits(), judge: @escaping Judge) throws {
        var sockets: [LoopbackSocket] = []
        do {
            let ipv4 = Result { try LoopbackSocket.listening(on: .ipv4, port: port) }
            if case .success(let socket) = ipv4 { sockets.append(socket) }
            let chosen = try sockets.first?.port() ?? port
            // The second is a convenience where there is a first: another program may have its port.
            let ipv6 = Result { try LoopbackSocket.listening(on: .ipv6, port: chosen) }
            if case .success(let socket) = ipv6 { sockets.append(socket) }
            guard let first = sockets.first else {
                _ = try ipv4.get()
                throw POSIXError(.EADDRNOTAVAIL)
            }
            self.port = try first.port()
            let wake = try LoopbackSocket.pair()
            control = Lock(Control(wake: wake.writable))
            var authorities: [String] = []
            if case .success = ipv4 { authorities.append("127.0.0.1:\(self.port)") }
            if case .success = ipv6 { authorities.append("[::1]:\(self.port)") }
            self.authorities = authorities
            let loop = LoopbackLoop(
                listening: sockets, wake: wake.readable, hosts: authorities, limits: limits, judge: judge)
            Thread { [self] in run(loop) }.start()
        } catch {
            sockets.forEach { $0.close() }
            throw error
        }
    }

    /// Waits for the right request. When it is there, nothing listens any more.
    /// - Throws: what ``fail(_:)`` was given, or `CancellationError`.
    package func request() async throws -> LoopbackRequest {
        try await arrived.value()
    }

    /// Ends the wait for the request.
    package func fail(_ error: any Error) {
        arrived.deliver(.failure(error))
    }

    /// Returns when nothing listens any more. An answer on its way to the browser is still written.
    package func stop() async {
        stopSoon()
        await closed.waitDespiteCancellation()
    }

    package func stopSoon() {
        control.withLock { control in
            control.isStopped = true
            control.wake?.signal()
        }
    }

    private func run(_ loop: LoopbackLoop) {
        var loop = loop
        while !control.withLock({ $0.isStopped }) {
            if let request = loop.turn() {
                loop.closeListening()
                closed.deliver()
                arrived.deliver(.success(request))
                loop.finishAnswers()
                break
            }
        }
        control.withLock { control in
            control.wake?.close()
            control.wake = nil
        }
        loop.closeAll()
        closed.deliver()
        arrived.deliver(.failure(CancellationError()))
    }
}

/// The limits of the loopback listener, to which any program and any page of this machine may connect.
package struct LoopbackLimits: Sendable {
    /// Bytes of a request's head.
    package var headSize = 8 * 1024
    /// The time from accepting a connection to closing it.
    package var connection: Duration = .seconds(10)
    /// The time from the end of an answer to closing the connection.
    package var lingering: Duration = .seconds(1)
    /// When there are more connections, the oldest is closed.
    package var connections = 64

    package init() {}
}
