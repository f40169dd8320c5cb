import NIOHTTP1
import Testing

@testable import HTTPConnections

@Suite("The framing of requests")
struct RequestFramingTests {
    private func framing(
        _ headers: HTTPHeaders, version: HTTPVersion = .http1_1, method: HTTPMethod = .GET
    ) -> RequestFraming {
        RequestFraming(HTTPRequestHead(version: version, method: method, uri: "/", headers: headers))
    }

    @Test(
        "A request of HTTP/1.1 has exactly one Host, which is not empty",
        arguments: [
            ([], 400), (["a"], nil), (["a:4000"], nil), ([""], 400), (["a", "b"], 400), (["a", "a"], 400),
            (["a", ""], 400),
        ] as [([String], UInt?)])
    func host(hosts: [String], status: UInt?) {
        for name in ["Host", "host", "HOST"] {
            let headers = HTTPHeaders(hosts.map { (name, $0) } + [("Accept", "*/*")])
            #expect(framing(headers).refusal?.code == status)
        }
    }

    @Test(
        "A request of HTTP/1.0 may leave Host out",
        arguments: [([], nil), (["a"], nil), ([""], 400), (["a", "b"], 400)] as [([String], UInt?)])
    func oldHost(hosts: [String], status: UInt?) {
        #expect(framing(HTTPHeaders(hosts.map { ("Host", $0) }), version: .http1_0).refusal?.code == status)
    }

    @Test(
        "The only transfer coding that is accepted is chunked",
        arguments: [
            (["chunked"], nil), (["Chunked"], nil), (["gzip, chunked"], 501), (["gzip", "chunked"], 501),
            (["chunked, chunked"], 501), (["identity"], 501), ([""], 501),
        ] as [([String], UInt?)])
    func transferCoding(codings: [String], status: UInt?) {
        let headers = HTTPHeaders([("Host", "a")] + codings.map { ("Transfer-Encoding", $0) })
        #expect(framing(headers, method: .POST).refusal?.code == status)
        #expect(framing(headers, version: .http1_0, method: .POST).refusal?.code == 400)
    }

    @Test("A bad Host is reported before an unsupported coding")
    func both() {
        #expect(framing(["Transfer-Encoding": "gzip, chunked"], method: .POST).refusal?.code == 400)
    }

    @Test("Two headers together, or CONNECT, ask for another protocol")
    func upgrade() {
        #expect(framing(["Host": "a", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade"]).asksForUpgrade)
        #expect(framing(["Host": "a"], method: .CONNECT).asksForUpgrade)
        #expect(!framing(["Host": "a", "Upgrade": "websocket"]).asksForUpgrade)
        #expect(!framing(["Host": "a", "Connection": "upgrade"]).asksForUpgrade)
        #expect(!framing(["Host": "a", "Connection": "upgraded", "Upgrade": "h2c"]).asksForUpgrade)
    }
}
