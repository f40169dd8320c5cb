import Foundation
import NIOCore
import Testing

@testable import siwa

@Suite("A question to a name server")
struct NameServersTests {
    private static let name = "mail.example.com"
    private static let record = "v=spf1 include:example.net -all"

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reply: TestNameServer.Reply
        let answer: TextAnswer
    }

    @Test(
        "is answered with the texts, however they come",
        arguments: [
            Case(testDescription: "one", reply: .texts([[record]]), answer: .texts([record])),
            Case(
                testDescription: "several, in pieces", reply: .texts([["v=spf1 ", "-all"], ["", "x"], []]),
                answer: .texts(["v=spf1 -all", "x", ""])),
            Case(
                testDescription: "behind an alias", reply: .aliasAndAddress(thenText: record), answer: .texts([record])),
            Case(
                testDescription: "too large for a datagram",
                reply: .onlyByTCP([Array(repeating: String(repeating: "x", count: 255), count: 200)]),
                answer: .texts([String(repeating: "x", count: 51_000)])),
            Case(
                testDescription: "after answers to other questions", reply: .afterForeignAnswers([[record]]),
                answer: .texts([record])),
            Case(testDescription: "no such name", reply: .code(3), answer: .texts([])),
            Case(testDescription: "no such record", reply: .texts([]), answer: .texts([])),
            Case(testDescription: "the server has failed", reply: .code(2), answer: .failed("code 2")),
            Case(testDescription: "not to the end", reply: .cutOff, answer: .failed("malformed")),
        ])
    func answers(_ example: Case) async throws {
        try await TestNameServer.with([Self.name: example.reply]) { servers in
            #expect(await servers.texts(of: Self.name) == example.answer)
        }
    }

    @Test("does not wait for ever, and not for a server that is not there")
    func silence() async throws {
        try await TestNameServer.with([Self.name: .silence]) { servers in
            var servers = servers
            servers.limit = .milliseconds(100)
            #expect(await servers.texts(of: Self.name) == .failed("no name server answers"))
        }
        #expect(await NameServers(addresses: []).texts(of: Self.name) == .failed("there is no name server"))
    }

    @Test("goes to the next server when the first is not there, or has failed")
    func next() async throws {
        let gone = try await TestNameServer([:])
        try await gone.close()
        let failing = try await TestNameServer([Self.name: .code(5)])
        let good = try await TestNameServer([Self.name: .texts([[Self.record]])])
        let servers = NameServers(
            addresses: [gone.address, failing.address, good.address], limit: .seconds(300), patience: .seconds(120))
        #expect(await servers.texts(of: Self.name) == .texts([Self.record]))
        try await failing.close()
        try await good.close()
    }

    @Test(
        "is not made of what is no name",
        arguments: ["", "a..b", ".", String(repeating: "x", count: 64), String(repeating: "abc.", count: 64) + "d"])
    func names(name: String) {
        #expect(TextQuestion(name) == nil)
    }

    @Test("goes to three servers of the system's file, or to this machine's own")
    func file() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let text = """
            # nameserver 192.0.2.9
            search example.com
            nameserver 192.0.2.1
            nameserver\t2001:db8::1
            nameserver nonsense
            nameserver 192.0.2.2 x
            nameserver 192.0.2.3
            """
        try Data(text.utf8).write(to: file)
        #expect(
            NameServers.ofSystem(configuration: file.path).addresses.map(\.ipAddress)
                == ["192.0.2.1", "2001:db8::1", "192.0.2.2"])
        #expect(NameServers.ofSystem(configuration: "/nowhere").addresses.map(\.ipAddress) == ["127.0.0.1"])
        #expect(NameServers.ofSystem(configuration: "/nowhere").addresses.map(\.port) == [53])
    }
}
