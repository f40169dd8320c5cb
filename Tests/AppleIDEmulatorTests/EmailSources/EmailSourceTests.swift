import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AppleIDEmulator

@Suite("Email sources")
struct EmailSourceTests {
    private static let path = "/emulator/email-sources"

    private func register(
        _ emulator: TestEmulator, _ changes: [String: any Sendable] = [:]
    ) async throws -> TestEmulator.Answer {
        var members: [String: any Sendable] = ["team": "JUICETEAM1", "source": "juice.example.com"]
        members.merge(changes) { _, new in new }
        return try await emulator.call(Self.path, members)
    }

    private func verify(_ emulator: TestEmulator, _ source: String = "juice.example.com") async throws
        -> [String: any Sendable]
    {
        let answer = try await emulator.call(Self.path + "/verify", ["team": "JUICETEAM1", "source": source])
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json
    }

    private func sources(_ emulator: TestEmulator) async throws -> [[String: any Sendable]] {
        try #require(try await emulator.get(Self.path).json["emailSources"] as? [[String: any Sendable]])
    }

    @Test("a source is registered, verified, used for mail, and removed")
    func life() async throws {
        let emulator = try await TestEmulator()
        let relay = try await emulator.relayAddress()
        var sender = TestSender(emulator)
        #expect(sender.mail(to: [relay]) == SenderRulesTests.unauthorized)
        #expect(try await register(emulator).status == 200)
        #expect(try await sources(emulator).map { $0["verified"] as? Bool } == [false])
        #expect(sender.mail(to: [relay]) == SenderRulesTests.unauthorized)
        let verified = try await verify(emulator)
        #expect(verified["verified"] as? Bool == true)
        #expect(verified["association"] as? String == "not asked for")
        #expect(sender.mail(to: [relay]) == "250 2.0.0 OK")
        // In the portal, and so in the state file.
        #expect(emulator.emulator.portal.teams[0].emailSources?.map(\.verified) == [true])
        let removal = try await emulator.call(
            Self.path + "/remove", ["team": "JUICETEAM1", "source": "JUICE.example.com"])
        #expect(removal.status == 204)
        #expect(sender.mail(to: [relay]) == SenderRulesTests.unauthorized)
        #expect(try await sources(emulator).isEmpty)
    }

    @Test("a source without SPF and without DKIM fails, and one that is registered again needs a new verification")
    func declared() async throws {
        let emulator = try await TestEmulator()
        for (spf, dkim, passes) in [("fail", "none", false), ("none", "pass", true), ("pass", "fail", true)] {
            #expect(try await register(emulator, ["spf": spf, "dkim": dkim]).status == 200)
            #expect(try await sources(emulator).map { $0["verified"] as? Bool } == [false])
            let answer = try await verify(emulator)
            #expect(answer["verified"] as? Bool == passes)
            #expect(answer["spf"] as? String == spf)
            #expect(answer["dkim"] as? String == dkim)
        }
    }

    /// An answer of a domain's web server.
    enum Served: CaseIterable {
        case file, other, nothing, redirect, tooMuch

        var association: String {
            switch self {
            case .file: "found"
            case .other, .tooMuch: "has another content"
            case .nothing: "answered with status 404"
            case .redirect: "answered with status 307"
            }
        }
    }

    @Test(
        "the association file is fetched from its web server, without following redirects",
        arguments: Served.allCases)
    func association(served: Served) async throws {
        let content = AssociationFile(team: "JUICETEAM1", domain: "juice.example.com").content
        let router = Router()
        router.get("/.well-known/apple-developer-domain-association.txt") { _, _ -> Response in
            let text: String
            switch served {
            case .file: text = content + "\n"
            case .other: text = "somebody else's"
            case .tooMuch: text = content + String(repeating: " ", count: 5_000)
            case .nothing: return Response(status: .notFound)
            case .redirect: return Response(status: .temporaryRedirect, headers: [.location: "/file"])
            }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
        router.get("/file") { _, _ in content }
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ).test(.live) { app in
            let port = try #require(app.port)
            let emulator = try await TestEmulator()
            let answer = try await register(emulator, ["webServer": "http://127.0.0.1:\(port)"])
            let file = try #require(try answer.json["associationFile"] as? [String: String])
            #expect(file["path"] == "/.well-known/apple-developer-domain-association.txt")
            #expect(file["content"] == content)
            let verified = try await verify(emulator)
            #expect(verified["association"] as? String == served.association)
            #expect(verified["verified"] as? Bool == (served == .file))
        }
    }

    @Test("a verification ends without a 500 if the web server is unreachable or never answers")
    func unanswered() async throws {
        let router = Router()
        let (never, end) = AsyncStream<Void>.makeStream()
        router.get("**") { _, _ -> Response in
            for await _ in never {}
            return Response(status: .ok)
        }
        let file = AssociationFile(team: "JUICETEAM1", domain: "juice.example.com")
        let port = try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ).test(.live) { app in
            let port = try #require(app.port)
            let check = try await AssociationCheck.run(
                file, at: "http://127.0.0.1:\(port)", timeLimit: .milliseconds(50))
            #expect(check.description.hasPrefix("not answered: "))
            end.finish()
            return port
        }
        let emulator = try await TestEmulator()
        _ = try await register(emulator, ["webServer": "http://127.0.0.1:\(port)"])
        let verified = try await verify(emulator)
        #expect((verified["association"] as? String)?.hasPrefix("not answered: ") == true)
        #expect(verified["verified"] as? Bool == false)
    }

    @Test("a cancelled verification throws the cancellation", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let router = Router()
        let (never, end) = AsyncStream<Void>.makeStream()
        let (asked, ask) = AsyncStream<Void>.makeStream()
        router.get("**") { _, _ -> Response in
            ask.finish()
            for await _ in never {}
            return Response(status: .ok)
        }
        let file = AssociationFile(team: "JUICETEAM1", domain: "juice.example.com")
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ).test(.live) { app in
            let port = try #require(app.port)
            let check = Task { try await AssociationCheck.run(file, at: "http://127.0.0.1:\(port)") }
            for await _ in asked {}
            check.cancel()
            await #expect(throws: CancellationError.self) { try await check.value }
            end.finish()
        }
    }

    @Test("a source that is changed while it is verified is not verified", .timeLimit(.minutes(1)))
    func changedMeanwhile() async throws {
        let emulator = try await TestEmulator()
        let content = AssociationFile(team: "JUICETEAM1", domain: "juice.example.com").content
        let router = Router()
        router.get("**") { _, _ -> Response in
            _ = try await register(emulator, ["spf": "none"])
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: content)))
        }
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ).test(.live) { app in
            let port = try #require(app.port)
            _ = try await register(emulator, ["webServer": "http://127.0.0.1:\(port)"])
            let answer = try await emulator.call(
                Self.path + "/verify", ["team": "JUICETEAM1", "source": "juice.example.com"])
            #expect(answer.status == 409)
            #expect(answer.error == "conflict")
            #expect(
                try answer.json["message"] as? String
                    == "The email source was changed while it was verified. Verify it again.")
            #expect(try await sources(emulator).map { $0["verified"] as? Bool } == [false])
        }
    }

    @Test("an address has no association file, and a domain's file belongs to one team")
    func files() async throws {
        let emulator = try await TestEmulator()
        #expect(try await register(emulator, ["source": "news@juice.example.com"]).json["associationFile"] == nil)
        let one = AssociationFile(team: "JUICETEAM1", domain: "Juice.example.com")
        #expect(one == AssociationFile(team: "JUICETEAM1", domain: "juice.example.com"))
        #expect(one != AssociationFile(team: "CIDERTEAM2", domain: "juice.example.com"))
    }

    @Test(
        "an invalid source is refused",
        arguments: [
            ["source": "juice example"], ["source": ""], ["source": "-x.example"], ["source": "a@b@c"],
            ["spf": "softfail"], ["webServer": "http://juice.example.com"],
            ["webServer": "https://juice.example.com/path"], ["webServer": "ftp://127.0.0.1"], ["domain": "x"],
        ])
    func refused(changes: [String: String]) async throws {
        let emulator = try await TestEmulator()
        let answer = try await register(emulator, changes)
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_request", "\(answer.text)")
        #expect(try await sources(emulator).isEmpty)
        for call in ["/remove", "/verify"] {
            let unknown = try await emulator.call(Self.path + call, ["team": "JUICETEAM1", "source": "x.example"])
            #expect(unknown.status == 404)
            #expect(unknown.error == "unknown_email_source")
        }
        #expect(try await register(emulator, ["team": "NOTEAM0001"]).error == "unknown_team")
    }

    @Test("an organization has at most a hundred sources, each once")
    func limit() async throws {
        var portal = TestPortal.portal
        portal.teams[0].emailSources = (1...100).map { Portal.EmailSource(source: "m\($0).example.com") }
        let emulator = try await TestEmulator(portal: portal)
        #expect(try await register(emulator).status == 400)
        #expect(try await register(emulator, ["source": "M7.example.com", "verified": true]).status == 200)
        portal.teams[0].emailSources?[1].source = "M1.EXAMPLE.COM"
        let twice = portal
        await #expect(throws: EmulatorError.self) { _ = try await TestEmulator(portal: twice) }
    }
}
