import AccountConnection

/// The work of the listener's thread: one turn after another over all sockets that are ready.
struct LoopbackLoop: Sendable {
    private var listening: [LoopbackSocket]
    private let wake: LoopbackSocket
    private let hosts: [String]
    private let limits: LoopbackLimits
    private let judge: LoopbackServer.Judge
    private var connections: [LoopbackConnection] = []
    private var accepted: LoopbackRequest?

    init(
        listening: [LoopbackSocket], wake: LoopbackSocket, hosts: [String], limits: LoopbackLimits,
        judge: @escaping LoopbackServer.Judge
    ) {
        self.listening = listening
        self.wake = wake
        self.hosts = hosts
        self.limits = limits
        self.judge = judge
    }

    /// Waits for something to happen and deals with it.
    /// - Returns: the right request, once it is there.
    mutating func turn() -> LoopbackRequest? {
        let interests =
            [(socket: wake, writing: false)] + listening.map { (socket: $0, writing: false) }
            + connections.map { (socket: $0.socket, writing: $0.isWriting) }
        let ready = LoopbackSocket.wait(interests, limit: waitLimit)
        if ready[0] { _ = wake.read(atMost: 64) }
        let now = ContinuousClock.now
        for index in connections.indices where ready[1 + listening.count + index] {
            connections[index].proceed(limits: limits, now: now) { [hosts, judge] in
                Self.answer(to: $0, hosts: hosts, judge: judge, accepted: &accepted)
            }
        }
        closeConnections { $0.isOver || $0.deadline <= now }
        for (index, socket) in listening.enumerated() where ready[1 + index] {
            accept(from: socket, now: now)
        }
        return accepted
    }

    /// Writes what is still to be written, for as long as an answer may linger.
    mutating func finishAnswers() {
        closeConnections {
            if case .reading = $0.phase { true } else { false }
        }
        while !connections.isEmpty { _ = turn() }
    }

    mutating func closeListening() {
        listening.forEach { $0.close() }
        listening = []
    }

    mutating func closeAll() {
        closeListening()
        closeConnections { _ in true }
        wake.close()
    }

    private mutating func accept(from socket: LoopbackSocket, now: ContinuousClock.Instant) {
        // A few at a turn: a client that connects without end is served in turn with the others.
        for _ in 0..<16 {
            switch socket.accept() {
            case .nobody:
                return
            case .exhausted:
                closeOldest()
                return
            case .connection(let connection):
                connections.append(LoopbackConnection(socket: connection, deadline: now + limits.connection))
                if connections.count > limits.connections { closeOldest() }
            }
        }
    }

    private mutating func closeOldest() {
        guard !connections.isEmpty else {
            // The descriptors are somebody else's: look again in a while instead of at once.
            _ = LoopbackSocket.wait([(socket: wake, writing: false)], limit: 100)
            return
        }
        connections.removeFirst().socket.close()
    }

    private mutating func closeConnections(where isDue: (LoopbackConnection) -> Bool) {
        connections.removeAll { connection in
            guard isDue(connection) else { return false }
            connection.socket.close()
            return true
        }
    }

    /// The time until the next deadline, in milliseconds.
    private var waitLimit: Int32 {
        guard let next = connections.map(\.deadline).min() else { return -1 }
        let left = ContinuousClock.now.duration(to: next)
        return Int32(max(0, min(left.seconds * 1000, 60_000)).rounded(.up))
    }

    private static func answer(
        to request: LoopbackRequest?, hosts: [String], judge: LoopbackServer.Judge, accepted: inout LoopbackRequest?
    ) -> [UInt8] {
        // One success only, even when two come in one turn.
        guard accepted == nil, let request, request.method == "GET",
            // A page of another site may have made its own name mean 127.0.0.1 (DNS rebinding).
            let host = request.header("host"), hosts.contains(host), let page = judge(request)
        else { return LoopbackPage.notFound.answer(withoutBody: request?.method == "HEAD") }
        accepted = request
        return page.answer()
    }
}
