import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import AppleIDEmulator

/// `Docs/emulator-openapi.json` and the routes name the same calls. What they answer is looked at in `Tests/Peers`,
/// against a running emulator.
@Suite("The OpenAPI file and the routes")
struct OpenAPIRouteTests {
    /// Method and path template.
    struct Call: Hashable, Comparable, CustomStringConvertible {
        let method: String
        let path: String

        var description: String { "\(method) \(path)" }

        static func < (one: Call, other: Call) -> Bool { one.description < other.description }
    }

    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

    private func file() throws -> Data {
        try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../Docs/emulator-openapi.json"))
    }

    private func documented() throws -> Set<Call> {
        let document = try #require(JSONSerialization.jsonObject(with: try file()) as? [String: any Sendable])
        let paths = try #require(document["paths"] as? [String: [String: any Sendable]])
        return Set(
            paths.flatMap { path, item in
                item.keys.map { Call(method: $0.uppercased(), path: path) }.filter { Self.methods.contains($0.method) }
            })
    }

    private func isServed(_ call: Call, by emulator: TestEmulator) async throws -> Bool {
        let path = call.path.replacing(/\{[a-zA-Z]+\}/, with: "x")
        let method = try #require(HTTPRequest.Method(call.method))
        let isForm = path.hasPrefix("/auth/")
        let answer = try await emulator.send(
            method, path,
            headers: ["content-type": isForm ? "application/x-www-form-urlencoded" : "application/json"])
        #expect(answer.status != 500, "\(call)")
        return answer.status != 405 && !(answer.status == 404 && answer.error == "not_found")
    }

    @Test("the file has exactly the control calls of the table of routes, with their methods")
    func complete() throws {
        let calls = EmulatorRoute.all.filter { $0.path.hasPrefix("/emulator/") }
            .map { Call(method: $0.method.rawValue, path: $0.path) }
        #expect(!calls.isEmpty)
        #expect(Set(calls).count == calls.count, "each line of the table stands once")
        let documented = try documented().filter { $0.path.hasPrefix("/emulator/") }
        #expect(Set(calls).subtracting(documented).sorted() == [], "not in the file")
        #expect(documented.subtracting(calls).sorted() == [], "not in the table")
    }

    @Test("the file itself is served byte for byte, under the rules of the control calls")
    func description() async throws {
        let answer = try await TestEmulator().get("/emulator/openapi.json")
        #expect(answer.status == 200 && answer.headers[.contentType] == "application/json;charset=UTF-8")
        #expect(answer.text == String(decoding: try file(), as: UTF8.self))
        let foreign = try await TestEmulator().send(
            .get, "/emulator/openapi.json", headers: ["sec-fetch-site": "cross-site"])
        #expect(foreign.status == 403)
    }

    @Test("every call of the file is served")
    func served() async throws {
        let emulator = try await TestEmulator()
        for call in try documented().sorted() {
            #expect(try await isServed(call, by: emulator), "\(call)")
        }
    }
}
