import AccountConnection
import Foundation
import TaskSignals

@testable import OpenAuthenticationServices

/// Answers every connection with the same bytes, or never, and remembers the requests. Before that it answers
/// `HEAD /healthz`, if that comes first.
final class RawServer: Sendable {
    static let well = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    let port: UInt16
    private let listening: LoopbackSocket
    private let answer: String?
    private let health: String?
    private let staysOpen: Bool
    private let seen = Lock<[String]>([])
    private let accepted = Lock(0)
    private let connected = OneShot<Void>()
    private let state = Lock(false)

    /// - Parameters:
    ///   - answer: nil to read and stay silent.
    ///   - staysOpen: whether nothing comes after the answer, not even its end.
    ///   - health: the answer to `HEAD /healthz`; nil to stay silent. If it is empty or says `Connection: close`, the
    ///     connection ends with it.
    init(answer: String?, staysOpen: Bool = false, health: String? = RawServer.well) throws {
        (self.answer, self.staysOpen, self.health) = (answer, staysOpen, health)
        listening = try LoopbackSocket.listening(on: .ipv4, port: 0)
        port = try listening.port()
        Thread { [self] in
            var held: [LoopbackSocket] = []
            while !state.withLock({ $0 }) {
                guard LoopbackSocket.wait([(socket: listening, writing: false)], limit: 20)[0],
                    case .connection(let socket) = listening.accept()
                else { continue }
                accepted.withLock { $0 += 1 }
                if serve(socket) { socket.endWriting() }
                held.append(socket)
            }
            held.forEach { $0.close() }
            listening.close()
        }.start()
    }

    var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }
    /// The requests that came in whole, without those for `/healthz`.
    var requests: [String] { seen.withLock { $0 } }
    /// How many connections there were.
    var connections: Int { accepted.withLock { $0 } }

    /// Returns after a request, other than for `/healthz`.
    func connection() async throws { try await connected.value() }

    func stop() { state.withLock { $0 = true } }

    /// - Returns: whether the connection ends now.
    private func serve(_ socket: LoopbackSocket) -> Bool {
        guard var request = readRequest(socket) else { return true }
        if request.hasPrefix("HEAD /healthz ") {
            write(health ?? "", to: socket)
            if let health, health.isEmpty || health.contains("Connection: close") { return true }
            guard let next = readRequest(socket) else { return true }
            request = next
        }
        seen.withLock { $0.append(request) }
        write(answer ?? "", to: socket)
        connected.deliver()
        return answer != nil && !staysOpen
    }

    /// - Returns: nil if the connection ended before the request was whole.
    private func readRequest(_ socket: LoopbackSocket) -> String? {
        var text = ""
        while !isWhole(text) {
            guard LoopbackSocket.wait([(socket: socket, writing: false)], limit: 5000)[0],
                case .bytes(let bytes) = socket.read(atMost: 4096)
            else { return nil }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    private func isWhole(_ request: String) -> Bool {
        guard let end = request.range(of: "\r\n\r\n") else { return false }
        let length = request[..<end.lowerBound].components(separatedBy: "\r\n")
            .first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
        return request[end.upperBound...].utf8.count >= length ?? 0
    }

    private func write(_ text: String, to socket: LoopbackSocket) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, LoopbackSocket.wait([(socket: socket, writing: true)], limit: 5000)[0] {
            guard let count = socket.write(rest) else { return }
            rest = rest.dropFirst(count)
        }
    }
}

#if canImport(Glibc)
    extension Duration {
        /// The time for which this process has used a processor.
        static var ofProcessor: Duration {
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }
#endif
