import AccountAPI
import AccountService
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AccountHTTP

@Suite("The account service's routes in another server")
struct AccountRoutesTests {
    private struct OwnContext: RemoteAddressRequestContext {
        var coreContext: CoreRequestContextStorage
        let remoteAddress: SocketAddress?

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            remoteAddress = source.channel.remoteAddress
        }
    }

    private func service() async throws -> TestService {
        try await TestService(
            publicURL: TestService.publicURL, webClient: TestService.web, sendsMail: true, passwords: .test,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("are all there, with a HEAD for each GET")
    func all() async throws {
        let domain = try await service().domain
        let router = Router(context: OwnContext.self)
        _ = try domain.addAccountRoutes(to: router)
        let added = Set(router.routes.map(\.description))
        let own = try makeRouter(domain: domain, configuration: AccountHTTPConfiguration()).routes
        #expect(own.count > 80)
        #expect(Set(own.map(\.description)).isSubset(of: added))
        let heads = own.filter { $0.method == .get }.map { "\(HTTPRequest.Method.head) \($0.path)" }
        #expect(added == Set(own.map(\.description)).union(heads))
    }

    @Test("answer as they do in the service's own server, beside the server's own answers")
    func answers() async throws {
        let service = try await service()
        let router = Router(context: OwnContext.self)
        _ = try service.domain.addAccountRoutes(to: router, configuration: .juice(), except: ["/"])
        router.get("/") { _, _ in "my own" }
        router.get("note/{id}") { _, context in try context.parameters.require("id") }
        let requests: [(HTTPRequest.Method, String)] = [
            (.get, "/v1/account"), (.get, "/account"), (.post, "/v1/challenges"), (.get, "/sign-in"),
            (.get, "/email-links/unknown"), (.head, "/healthz"), (.get, "/readyz"), (.get, "/.well-known/jwks.json"),
        ]
        let alone = try buildApplication(
            domain: service.domain, configuration: .juice(), port: 0,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let mounted = Application(router: router)
        try await alone.test(.router) { alone in
            try await mounted.test(.router) { mounted in
                for (method, path) in requests {
                    let expected = try await alone.execute(uri: path, method: method)
                    let answer = try await mounted.execute(uri: path, method: method)
                    #expect(answer.status == expected.status, "\(method) \(path)")
                    #expect(answer.headers[.contentType] == expected.headers[.contentType], "\(method) \(path)")
                    let names = Set(answer.headers.map(\.name)), expectedNames = Set(expected.headers.map(\.name))
                    #expect(names == expectedNames, "\(method) \(path)")
                }
                let refused = try await mounted.execute(uri: "/v1/account", method: .get)
                let envelope = try JSONDecoder().decode(ErrorEnvelope.self, from: Data(refused.body.readableBytesView))
                #expect(envelope.error.code == .accessTokenMissing)
                #expect(try await mounted.execute(uri: "/", method: .get) { String(buffer: $0.body) } == "my own")
                #expect(try await mounted.execute(uri: "/note/7", method: .get) { String(buffer: $0.body) } == "7")
                #expect(try await mounted.execute(uri: "/nothing", method: .get) { $0.status } == .notFound)
            }
        }
    }

    @Test("name the domain's emulator, and allow forms to it, though the settings don't name it")
    func emulator() async throws {
        let domain = try await service().domain
        #expect(domain.emulatorURL == TestService.emulatorURL)
        let router = Router(context: OwnContext.self)
        _ = try domain.addAccountRoutes(to: router)
        let host = try #require(TestService.emulatorURL.split(separator: "/").last)
        try await Application(router: router).test(.router) { client in
            let ready = try await client.execute(uri: "/readyz", method: .get) { String(buffer: $0.body) }
            #expect(ready.contains(host))
            let page = try await client.execute(uri: "/sign-in", method: .get) { String(buffer: $0.body) }
            #expect(page.contains(host))
        }
    }

    @Test("limit requests by the address that the server's context knows")
    func limits() async throws {
        let domain = try await service().domain
        let router = Router(context: OwnContext.self)
        _ = try domain.addAccountRoutes(to: router, configuration: AccountHTTPConfiguration(requestBudget: 1))
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
            .test(.live) { client in
                let body = ByteBuffer(string: #"{"purpose": "sign-in"}"#)
                var statuses: [HTTPResponse.Status] = []
                for _ in 0..<2 {
                    statuses.append(
                        try await client.execute(
                            uri: "/v1/challenges", method: .post, headers: [.contentType: "application/json"],
                            body: body
                        ) { $0.status })
                }
                #expect(statuses.first != .tooManyRequests)
                #expect(statuses.last == .tooManyRequests)
            }
    }

    @Test(
        "are refused if the router already has one of them, or one like it",
        arguments: ["/healthz", "/v1/deletions/{key}", "/account/sessions/{key}/notes"])
    func conflicts(path: String) async throws {
        let domain = try await service().domain
        let router = Router(context: OwnContext.self)
        router.get(RouterPath(path)) { _, _ in "my own" }
        let error = #expect(throws: AccountError.self) { _ = try domain.addAccountRoutes(to: router) }
        #expect(error?.code == .configuration)
    }

    @Test("are refused if a path to leave out isn't one of them")
    func unknownPath() async throws {
        let domain = try await service().domain
        let error = #expect(throws: AccountError.self) {
            _ = try domain.addAccountRoutes(to: Router(context: OwnContext.self), except: ["/", "/home"])
        }
        #expect(error?.code == .configuration)
        #expect(error?.reason.contains("/home") == true)
    }
}
