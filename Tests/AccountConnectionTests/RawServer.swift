import AccountConnection
import Foundation
import TaskSignals

@testable import OpenAuthenticationServices

/// Answers every connection with the same bytes, or never, and remembers what came.
final class RawServer: Sendable {
    let port: UInt16
    private let listening: LoopbackSocket
    private let seen = Lock<[String]>([])
    private let connected = OneShot<Void>()
    private let state = Lock(false)

    /// - Parameters:
    ///   - answer: nil to read and stay silent.
    ///   - staysOpen: whether nothing comes after the answer, not even its end.
    init(answer: String?, staysOpen: Bool = false) throws {
        listening = try LoopbackSocket.listening(on: .ipv4, port: 0)
        port = try listening.port()
        Thread { [self] in
            var held: [LoopbackSocket] = []
            while !state.withLock({ $0 }) {
                guard LoopbackSocket.wait([(socket: listening, writing: false)], limit: 20)[0],
                    case .connection(let socket) = listening.accept()
                else { continue }
                serve(socket, answer)
                held.append(socket)
                connected.deliver(.success(()))
                if answer != nil, !staysOpen {
                    socket.endWriting()
                }
            }
            held.forEach { $0.close() }
            listening.close()
        }.start()
    }

    var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }
    var requests: [String] { seen.withLock { $0 } }

    func connection() async throws { try await connected.value() }

    func stop() { state.withLock { $0 = true } }

    private func serve(_ socket: LoopbackSocket, _ answer: String?) {
        var head = ""
        while !head.contains("\r\n\r\n") {
            guard LoopbackSocket.wait([(socket: socket, writing: false)], limit: 5000)[0] else { break }
            guard case .bytes(let bytes) = socket.read(atMost: 4096) else { break }
            head += String(decoding: bytes, as: UTF8.self)
        }
        seen.withLock { $0.append(head) }
        var rest = Array((answer ?? "").utf8)[...]
        while !rest.isEmpty, LoopbackSocket.wait([(socket: socket, writing: true)], limit: 5000)[0] {
            guard let count = socket.write(rest) else { return }
            rest = rest.dropFirst(count)
        }
    }
}
