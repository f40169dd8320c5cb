import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPConnections

@Suite("One request at a time")
struct RequestSequenceTests {
    private func get(_ path: String, _ headers: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(headers)\r\n"
    }

    @Test("Requests that come at once are answered one after the other, in order")
    func inOrder() throws {
        let connection = try TestConnection()
        try connection.receive(get("/a") + get("/b") + get("/c"))
        for (path, next) in [("/a", "b"), ("/b", "c"), ("/c", "")] {
            #expect(connection.taken() == ["GET \(path)", "end"])
            connection.answer(path)
            #expect(try connection.sent().hasSuffix("\r\n\r\n\(path)"), "before /\(next)")
        }
        try connection.receive(get("/d"))
        #expect(connection.taken() == ["GET /d", "end"])
    }

    @Test("Thousands of requests at once wait as bytes, and each is answered")
    func many() throws {
        let connection = try TestConnection()
        let count = 1_500
        try connection.receive((0..<count).map { get("/\($0)") }.joined())
        for number in 0..<count {
            try #require(connection.taken() == ["GET /\(number)", "end"])
            connection.answer()
            _ = try connection.sent()
        }
        #expect(connection.taken().isEmpty)
    }

    @Test("Requests in pieces, with bodies and chunks, arrive whole", arguments: [1, 2, 7, 100, 1_024, 10_000])
    func pieces(size: Int) throws {
        let connection = try TestConnection()
        let long = String(repeating: "x", count: 3_000)
        let text =
            get("/a") + "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n\(long)" + get("/c")
            + "POST /d HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n4\r\ndone\r\n0\r\n\r\n"
            + "HEAD /e HTTP/1.1\r\nHost: a\r\n\r\n"
        var bytes = Array(text.utf8)[...]
        var requests: [String] = []
        func look() {
            for event in connection.taken() {
                if event == "end" {
                    connection.answer()
                    look()
                } else if event.hasPrefix("body") {
                    requests[requests.count - 1] += event.dropFirst(6).dropLast()
                } else {
                    requests.append(event + " ")
                }
            }
        }
        while !bytes.isEmpty {
            try connection.receive(String(decoding: bytes.prefix(size), as: UTF8.self))
            bytes = bytes.dropFirst(size)
            look()
        }
        #expect(requests == ["GET /a ", "POST /b \(long)", "GET /c ", "POST /d halfdone", "HEAD /e "])
    }

    @Test("Reading stops while a request waits, and continues when none does")
    func reading() throws {
        let connection = try TestConnection()
        try connection.receive(get("/a"))
        _ = connection.reads()
        // Most clients wait for their answers: nothing stops and starts for them.
        connection.askForMore()
        #expect(connection.reads() == 1)
        try connection.receive(get("/b") + get("/c"))
        connection.askForMore()
        #expect(connection.reads() == 0)
        connection.answer()
        #expect(connection.reads() == 0)
        connection.answer()
        #expect(connection.taken() == ["GET /a", "end", "GET /b", "end", "GET /c", "end"])
        #expect(connection.reads() == 1)
    }

    @Test("A client that closes its side after its requests gets all answers, and its end is noticed after them")
    func halfClosed() throws {
        let connection = try TestConnection()
        try connection.receive(get("/a") + get("/b"))
        connection.receiveEnd()
        #expect(connection.taken() == ["GET /a", "end"])
        connection.answer()
        #expect(connection.taken() == ["GET /b", "end", "closed"])
        connection.answer("done")
        #expect(try connection.sent().hasSuffix("done"))
    }

    @Test("A client that closes while it waits for an answer is noticed at once")
    func endHeard() throws {
        let connection = try TestConnection()
        try connection.receive(get("/a"))
        connection.receiveEnd()
        #expect(connection.taken() == ["GET /a", "end", "closed"])
    }

    @Test("After the last request of a connection no other is accepted", arguments: ["close", "Close", "close, TE"])
    func lastRequest(word: String) throws {
        let connection = try TestConnection()
        try connection.receive(get("/a", "Connection: \(word)\r\n") + get("/b"))
        #expect(connection.taken() == ["GET /a", "end"])
        connection.answer()
        #expect(try connection.sent().contains("Connection: close\r\n"))
        #expect(connection.hasClosedOutput)
        try connection.receive(get("/c"))
        #expect(connection.taken().isEmpty)
    }

    @Test("A stream that ends its connection keeps reading, and notices at once that the client left")
    func stream() throws {
        let connection = try TestConnection()
        try connection.receive(get("/events") + get("/b"))
        connection.askForMore()
        #expect(connection.taken() == ["GET /events", "end"])
        _ = connection.reads()
        connection.begin(.ok, ["Connection": "close", "Content-Type": "text/event-stream"])
        connection.write("retry: 1\n\n")
        #expect(connection.reads() == 1)
        try connection.receive(get("/c"))
        connection.askForMore()
        #expect(connection.reads() == 1)
        connection.receiveEnd()
        #expect(connection.taken() == ["closed"])
        connection.end()
        #expect(connection.hasClosedOutput)
    }

    @Test("A client that sends more than 64 KB ahead loses its connection")
    func tooFarAhead() throws {
        let connection = try TestConnection()
        // So much comes in one read only when the client has ended its side.
        try? connection.receive(String(repeating: get("/a"), count: 3_000))
        #expect(!connection.channel.isActive)
    }

    @Test("A client that floods a stream's connection loses it")
    func flood() throws {
        let connection = try TestConnection()
        try connection.receive(get("/events"))
        connection.begin(.ok, ["Connection": "close"])
        for _ in 0..<17 { try? connection.receive(String(repeating: "x", count: 65_536)) }
        #expect(!connection.channel.isActive)
    }

    @Test("If the answer comes before its request ends, the next request waits for that end")
    func earlyAnswer() throws {
        let connection = try TestConnection()
        try connection.receive("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab")
        connection.answer()
        #expect(connection.taken() == ["POST /a", "body \"ab\""])
        try connection.receive("cd" + get("/b"))
        #expect(connection.taken() == ["body \"cd\"", "end", "GET /b", "end"])
        connection.answer()
        try connection.receive(get("/c"))
        #expect(connection.taken() == ["GET /c", "end"])
    }

    @Test("100 Continue doesn't count as the answer")
    func informational() throws {
        let connection = try TestConnection()
        try connection.receive("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        connection.begin(.continue)
        try connection.receive("ab" + get("/b"))
        #expect(connection.taken() == ["POST /a", "body \"ab\"", "end"])
        connection.answer()
        #expect(connection.taken() == ["GET /b", "end"])
    }

    @Test("Garbage after a request is found after its answer")
    func garbage() throws {
        let connection = try TestConnection()
        try connection.receive(get("/a") + get("/b") + "\u{1}\u{2} / nonsense\r\n\r\n")
        #expect(connection.taken() == ["GET /a", "end"])
        connection.answer()
        #expect(connection.taken() == ["GET /b", "end"])
        connection.answer()
        #expect(connection.taken() == ["error"])
    }

    @Test("A request that breaks the framing rules is refused in its turn, and ends the connection")
    func refused() throws {
        let connection = try TestConnection()
        try connection.receive(get("/a") + get("/b", "Host: b\r\n") + get("/c"))
        #expect(try connection.sent().isEmpty)
        connection.answer("first")
        let sent = try connection.sent()
        let first = try #require(sent.firstRange(of: "first"))
        #expect(sent[first.upperBound...].hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n"))
        #expect(connection.taken() == ["GET /a", "end"])
        #expect(connection.hasClosedOutput)
    }

    @Test(
        "A client of HTTP/1.0 gets an answer in its version, and an answer without a length ends the connection"
    )
    func oldVersion() throws {
        for (header, length, isClosed) in [
            ("", "Content-Length: 2\r\n", true), ("Connection: keep-alive\r\n", "Content-Length: 2\r\n", false),
            ("Connection: keep-alive\r\n", "", true),
        ] {
            let connection = try TestConnection()
            try connection.receive("GET /a HTTP/1.0\r\n\(header)\r\n")
            #expect(connection.taken() == ["GET /a", "end"])
            connection.answer("ok", .ok, length.isEmpty ? [:] : ["Content-Length": "2"])
            let sent = try connection.sent()
            #expect(sent.hasPrefix("HTTP/1.0 200 OK\r\n"))
            #expect(sent.hasSuffix("\r\n\r\nok"))
            #expect(!sent.contains("chunked"))
            #expect(sent.contains("Connection: \(isClosed ? "close" : "keep-alive")\r\n"))
            #expect(connection.hasClosedOutput == isClosed)
        }
    }

    @Test("A request for another protocol is the last one of its connection")
    func upgrade() throws {
        let connection = try TestConnection()
        try connection.receive(get("/a", "Upgrade: websocket\r\nConnection: Upgrade\r\n") + "\u{1}\u{2}")
        #expect(connection.taken() == ["GET /a", "end"])
        connection.answer()
        #expect(connection.hasClosedOutput)
    }
}
