import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TaskSignals
import Testing

@Suite("The DocC catalogue of the server library")
struct CatalogueTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private func files(in folder: String, endingIn suffix: String) throws -> [(name: String, text: String)] {
        let url = Self.root.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { $0.hasSuffix(suffix) }.map {
            path in
            (path, try String(contentsOf: url.appending(path: path), encoding: .utf8))
        }
    }

    private func pages() throws -> [(name: String, text: String)] {
        try files(in: "Sources/AppleID/AppleID.docc", endingIn: ".md")
    }

    @Test("has every public type under a topic, once, and every page of its own")
    func topics() throws {
        let landing = try #require(try pages().first { $0.name == "AppleID.md" }).text
        let types = try files(in: "Sources/AppleID", endingIn: ".swift").flatMap { file in
            file.text.matches(of: /(?m)^public (?:final class|struct|enum|protocol|actor) (\w+)/).map {
                String($0.output.1)
            }
        }
        let listed = landing.matches(of: /(?m)^- ``(\w+)``$/).map { String($0.output.1) }
        #expect(listed.sorted() == types.sorted())
        let linked = landing.matches(of: /(?m)^- <doc:(\w+)>$/).map { String($0.output.1) + ".md" }
        #expect(try Set(pages().map(\.name)) == Set(linked + ["AppleID.md"]))
    }

    @Test("shows routes that sign in with a nonce that is there, once, and refuse the rest")
    func routes() async throws {
        let side = try await AppleSide()
        let native = try await side.emulator.authorize(client: "com.example.juice", nonce: "n", native: true)
        let token = try #require(native.identityToken)
        let nonces = Lock<Set<String>>(["n", "other"])
        let router = Router()
        GuideServers.addRoutes(to: router, apple: side.client) { nonce in
            nonces.withLock { $0.remove(nonce) } != nil
        }
        try await Application(router: router).test(.router) { client in
            func post(_ nonce: String) async throws -> (HTTPResponse.Status, String) {
                let body = try JSONEncoder().encode(["identityToken": token, "nonce": nonce])
                return try await client.execute(
                    uri: "/sign-in/apple", method: .post, headers: [.contentType: "application/json"],
                    body: ByteBuffer(bytes: body)
                ) { ($0.status, String(buffer: $0.body)) }
            }
            #expect(try await post("other").0 == .unauthorized)
            let (status, subject) = try await post("n")
            #expect(status == .ok)
            #expect(!subject.isEmpty)
            #expect(try await post("n").0 == .unauthorized)
            let anywhere = await GuideFunction.signIn(token: token, nonce: "n", apple: side.client)
            #expect(anywhere.status == 200 && anywhere.person?.rawValue == subject)
            #expect(await GuideFunction.signIn(token: token, nonce: "x", apple: side.client).status == 401)
        }
    }
}
