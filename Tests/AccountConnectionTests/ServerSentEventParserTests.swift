import Foundation
import Testing

@testable import AccountConnection

@Suite("Server-sent events")
struct ServerSentEventParserTests {
    private static let stream =
        "retry: 3000\n\n: \n\nid: 7\nevent: signed_in\ndata: {\"a\":1}\n\n:comment\ndata:one\r\ndata: two\r\n\r\n"
        + "id\ndata: reset\r\rdata: cut"

    private static let expected = [
        ServerSentEvent(id: "7", data: #"{"a":1}"#), ServerSentEvent(id: "7", data: "one\ntwo"),
        ServerSentEvent(id: "", data: "reset"),
    ]

    @Test("are parsed alike in chunks of any size", arguments: [1, 2, 3, 7, 1000])
    func pieces(size: Int) throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        let bytes = Array(Self.stream.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try parser.parse(Data(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(events == Self.expected)
        #expect(parser.retry == .seconds(3))
    }

    @Test("have an id that counts after their end, or before the first of them, but not half-way")
    func ids() throws {
        var parser = ServerSentEventParser()
        _ = try parser.parse(Data("retry: 3000\nid: 41\n\n".utf8))
        #expect(parser.lastID == "41")
        _ = try parser.parse(Data("id: 43\ndata: x\n".utf8))
        #expect(parser.lastID == "41")
        #expect(try parser.parse(Data("\n".utf8)) == [ServerSentEvent(id: "43", data: "x")])
        #expect(parser.lastID == "43")
    }

    @Test("are refused if they never end", arguments: ["data: ", ":"])
    func endless(beginning: String) {
        var parser = ServerSentEventParser()
        #expect(throws: ServerSentEventParser.TooLarge.self) {
            _ = try parser.parse(Data(beginning.utf8))
            for _ in 0..<100 { _ = try parser.parse(Data(repeating: 120, count: 1024)) }
        }
    }

    @Test("may be followed by comments for ever")
    func comments() throws {
        var parser = ServerSentEventParser()
        for _ in 0..<100_000 { _ = try parser.parse(Data(": \n\n".utf8)) }
        #expect(try parser.parse(Data("data: x\n\n".utf8)) == [ServerSentEvent(id: nil, data: "x")])
    }
}
