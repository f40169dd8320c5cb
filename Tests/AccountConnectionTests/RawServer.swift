import AccountConnection
import Foundation
import TaskSignals

@testable import OpenAuthenticationServices

/// Answers every connection with the same bytes, or never, and remembers what came. Before that it says that it is well, to
/// those that ask.
final class RawServer: Sendable {
    let port: UInt16
    private let listening: LoopbackSocket
    private let seen = Lock<[String]>([])
    private let accepted = Lock(0)
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
                accepted.withLock { $0 += 1 }
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
    /// The heads of the requests, without those for `/healthz`.
    var requests: [String] { seen.withLock { $0 } }
    /// How many connections there were.
    var connections: Int { accepted.withLock { $0 } }

    func connection() async throws { try await connected.value() }

    func stop() { state.withLock { $0 = true } }

    private func serve(_ socket: LoopbackSocket, _ answer: String?) {
        var head = readHead(socket)
        if head.hasPrefix("GET /healthz ") {
            write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", to: socket)
            head = readHead(socket)
        }
        seen.withLock { $0.append(head) }
        write(answer ?? "", to: socket)
    }

    private func readHead(_ socket: LoopbackSocket) -> String {
        var head = ""
        while !head.contains("\r\n\r\n") {
            guard LoopbackSocket.wait([(socket: socket, writing: false)], limit: 5000)[0] else { break }
            guard case .bytes(let bytes) = socket.read(atMost: 4096) else { break }
            head += String(decoding: bytes, as: UTF8.self)
        }
        return head
    }

    private func write(_ text: String, to socket: LoopbackSocket) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, LoopbackSocket.wait([(socket: socket, writing: true)], limit: 5000)[0] {
            guard let count = socket.write(rest) else { return }
            rest = rest.dropFirst(count)
        }
    }
}
