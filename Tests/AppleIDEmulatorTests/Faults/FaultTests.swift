import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AppleIDEmulator

@Suite("Faults")
struct FaultTests {
    static let addresses: [(name: String, method: HTTPRequest.Method, path: String)] = [
        ("discovery", .get, "/.well-known/openid-configuration"), ("keys", .get, "/auth/keys"),
        ("authorize", .get, TestEmulator.authorizePath()), ("token", .post, "/auth/token"),
        ("revoke", .post, "/auth/revoke"), ("migration", .post, "/auth/usermigrationinfo"),
    ]

    /// Returns the status of each address's answer to nothing in particular.
    private func statuses(_ emulator: TestEmulator) async throws -> [String: Int] {
        var statuses: [String: Int] = [:]
        for address in Self.addresses {
            statuses[address.name] = try await emulator.send(address.method, address.path).status
        }
        return statuses
    }

    @Test(
        "can replace the answer of every endpoint of Apple's, or of one",
        arguments: [("outage", 503), ("edge-403", 403), ("throttle", 429)], [nil] + addresses.map(\.name))
    func replaced(_ fault: (name: String, status: Int), endpoint: String?) async throws {
        let emulator = try await TestEmulator()
        let usual = try await statuses(emulator)
        #expect(!usual.values.contains(fault.status))
        try await emulator.fault(fault.name, endpoint.map { ["endpoint": $0] } ?? [:])
        for (name, status) in try await statuses(emulator) {
            #expect(status == (endpoint ?? name == name ? fault.status : usual[name]), "\(name)")
        }
        #expect(try await emulator.get("/").status == 200, "the emulator's own pages are spared")
        _ = try await emulator.call("/emulator/faults/clear", [:])
        #expect(try await statuses(emulator) == usual)
    }

    @Test(
        "match an endpoint however its slashes are written, as the router does",
        arguments: ["//auth/keys", "/auth//keys", "/auth/keys/", "/auth/keys?x=1"])
    func spelling(path: String) async throws {
        let emulator = try await TestEmulator()
        #expect(try await emulator.get(path).status == 200)
        try await emulator.fault("outage", ["endpoint": "keys"])
        #expect(try await emulator.get(path).status == 503)
    }

    @Test("can be an outage with a chosen status, in HTML as from Apple's edge")
    func html() async throws {
        let emulator = try await TestEmulator()
        try await emulator.fault("outage", ["status": 502, "times": 1])
        let outage = try await emulator.get("/auth/keys", headers: ["accept": "application/json"])
        #expect(outage.status == 502)
        try await emulator.fault("edge-403", ["times": 1])
        let refusal = try await emulator.get("/auth/keys", headers: ["accept": "application/json"])
        for answer in [outage, refusal] {
            #expect(answer.headers[.contentType] == "text/html")
            #expect(answer.text.hasPrefix("<html>"))
        }
        #expect(try await emulator.get("/auth/keys").status == 200, "each was for one request")
    }

    @Test("can be a throttle that says when to retry")
    func throttle() async throws {
        let emulator = try await TestEmulator()
        try await emulator.fault("throttle", ["endpoint": "token", "retryAfter": 7])
        let answer = try await emulator.post("/auth/token", form: [])
        #expect(answer.error == "temporarily_unavailable")
        #expect(answer.headers[.retryAfter] == "7")
    }

    @Test("can add a delay to any other answer")
    func latency() async throws {
        let pauses = TestEmulator.Pauses()
        let emulator = try await TestEmulator(pauses: pauses)
        try await emulator.fault("latency", ["endpoint": "keys", "milliseconds": 250, "times": 2])
        #expect(try await emulator.get("/auth/keys").status == 200)
        try await emulator.fault("outage", ["endpoint": "keys"])
        #expect(try await emulator.get("/auth/keys").status == 503)
        #expect(try await emulator.get("/auth/keys").status == 503)
        #expect(pauses.all == [.milliseconds(250), .milliseconds(250)])
    }

    @Test("can cut an answer in its middle")
    func cutOff() async throws {
        let emulator = try await TestEmulator()
        try await emulator.fault("cut-off", ["endpoint": "keys", "times": 1])
        try await emulator.emulator.application(port: 0).test(.live) { client in
            _ = await #expect(throws: (any Error).self) {
                _ = try await client.execute(uri: "/auth/keys", method: .get)
            }
        }
        #expect(try await emulator.get("/auth/keys").status == 200)
    }

    @Test("can add unknown members to an answer, which stays JSON")
    func junk() async throws {
        let emulator = try await TestEmulator()
        try await emulator.fault("junk-fields")
        for path in ["/.well-known/openid-configuration", "/auth/keys"] {
            #expect(try await emulator.get(path).json["junk"] != nil)
        }
        let keys = try await emulator.get("/auth/keys").json["keys"] as? [[String: String]]
        #expect(keys?.map { $0["kty"] } == ["JUNK", "RSA"])
        let tokens = try await emulator.tokens()
        #expect(tokens["junk"] != nil)
        #expect(tokens["refresh_token"] != nil)
    }

    @Test("affect a share of the requests, the same ones for the same seed", arguments: [0.1, 0.5])
    func share(_ share: Double) async throws {
        func outages(seed: Int) async throws -> [Bool] {
            let emulator = try await TestEmulator()
            try await emulator.fault("outage", ["endpoint": "keys", "share": share, "seed": seed])
            var outages: [Bool] = []
            for _ in 0..<200 { outages.append(try await emulator.get("/auth/keys").status == 503) }
            return outages
        }
        let first = try await outages(seed: 7)
        #expect(try await outages(seed: 7) == first)
        #expect(try await outages(seed: 8) != first)
        let count = Double(first.count { $0 })
        #expect((0.5 * share * 200...1.5 * share * 200).contains(count), "\(count)")
    }

    @Test("are listed with their count, and are removed one by one or together")
    func list() async throws {
        let emulator = try await TestEmulator()
        let first = try await emulator.fault("outage", ["endpoint": "keys", "times": 1])
        let second = try await emulator.fault("latency", ["milliseconds": 0])
        for _ in 0..<3 { _ = try await emulator.get("/auth/keys") }
        let listed = try await emulator.get("/emulator/faults").text
        #expect(
            listed == """
                {"faults":[{"id":"\(first)","fault":"outage","endpoint":"keys","remaining":0,"share":1,"seed":0,\
                "status":503,"seen":1,"hits":1},{"id":"\(second)","fault":"latency","share":1,"seed":0,\
                "milliseconds":0,"seen":3,"hits":3}]}
                """)
        let left = try await emulator.call("/emulator/faults/clear", ["id": first])
        #expect((try left.json["faults"] as? [any Sendable])?.count == 1)
        #expect(try await emulator.call("/emulator/faults/clear", ["id": first]).error == "unknown_fault")
        _ = try await emulator.call("/emulator/reset", [:])
        #expect(try await emulator.get("/emulator/faults").text == #"{"faults":[]}"#)
    }

    @Test(
        "are refused if they make no sense",
        arguments: [
            "{}", #"{"fault":"mood"}"#, #"{"fault":"duplicate","endpoint":"token"}"#,
            #"{"fault":"latency","endpoint":"everywhere"}"#, #"{"fault":"latency","milliseconds":30001}"#,
            #"{"fault":"latency","milliseconds":-1}"#, #"{"fault":"outage","milliseconds":1}"#,
            #"{"fault":"outage","status":200}"#, #"{"fault":"latency","status":500}"#,
            #"{"fault":"outage","times":0}"#, #"{"fault":"outage","share":0}"#, #"{"fault":"outage","share":1.5}"#,
            #"{"fault":"outage","share":"half"}"#, #"{"fault":"outage","seed":-1}"#,
            #"{"fault":"outage","retryAfter":1}"#, #"{"fault":"outage","often":true}"#,
        ])
    func refused(_ body: String) async throws {
        let emulator = try await TestEmulator()
        let headers = ["content-type": "application/json"]
        let answer = try await emulator.send(.post, "/emulator/faults", headers: headers, body: Array(body.utf8))
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_request")
        #expect(try await emulator.get("/emulator/faults").text == #"{"faults":[]}"#)
    }

    @Test("are at most a hundred")
    func capacity() async throws {
        let emulator = try await TestEmulator()
        for _ in 0..<100 { try await emulator.fault("latency", ["milliseconds": 0]) }
        #expect(try await emulator.call("/emulator/faults", ["fault": "latency"]).status == 409)
    }
}
