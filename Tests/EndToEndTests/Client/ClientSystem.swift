import AccountAPI
import AccountClient
import AccountHTTP
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import OpenAuthenticationServices
import TaskSignals
import Testing

/// A client's side of a system: an app, the service behind its real routes on the test's engine, and the emulator.
struct ClientSystem: Sendable {
    /// How the client reaches the service. Its own loopback listener has real sockets either way.
    enum Way: CaseIterable, Sendable {
        case inProcess
        case sockets
    }

    let system: TestSystem
    let service: any TestClientProtocol
    let browser: TestBrowser
    let network: TestNetwork
    private let backend: URL

    static func run(
        _ way: Way = .inProcess, mail: (any MailSender)? = nil, passwords: PasswordSettings? = nil,
        _ test: @escaping @Sendable (ClientSystem) async throws -> Void
    ) async throws {
        let system = try await TestSystem(Engine.current, mail: mail) { $0.passwords = passwords }
        try await run(way, on: system, test)
    }

    /// - Parameter system: a service and its Apple that are there already.
    static func run(
        _ way: Way = .inProcess, on system: TestSystem, _ test: @escaping @Sendable (ClientSystem) async throws -> Void
    ) async throws {
        let logger = Logger(label: "service") { _ in SwiftLogNoOpLogHandler() }
        let application = try buildApplication(
            domain: system.domain,
            configuration: AccountHTTPConfiguration(appName: "Juice", emulatorURL: TestSystem.emulatorURL), port: 0,
            logger: logger)
        try await application.test(way == .sockets ? .live : .router) { client in
            var address = TestSystem.publicURL
            if way == .sockets {
                let port = try #require(client.port)
                address = "http://127.0.0.1:\(port)"
            }
            let backend = try #require(URL(string: address))
            try await test(
                ClientSystem(
                    system: system, service: client, browser: TestBrowser(system, client),
                    network: TestNetwork(way == .sockets ? .urlSession : .within(client)), backend: backend))
        }
    }

    /// An app on a machine: what it stores is in `storage`. It repeats a call at once that got no answer.
    func impatientClient(storage: any SecretStorage = MemoryStorage()) -> AccountClient {
        var environment = ClientEnvironment.system
        environment.sleep = { pause in
            // Pauses between repeats are shorter than this. Time limits are longer, and none ends here.
            guard pause < .seconds(5) else { return try await OneShot<Void>().value() }
            try Task.checkCancellation()
            await Task.yield()
        }
        return AccountClient(configuration: configuration(), storage: storage, environment: environment)
    }

    /// An app on a machine: what it stores is in `storage`.
    func client(
        storage: any SecretStorage = MemoryStorage(), browser: TestBrowser? = nil, deviceName: String = "",
        edit: @Sendable (inout AuthenticationServicesConfiguration) -> Void = { _ in }
    ) -> AccountClient {
        AccountClient(backend: backend, app: "juice", storage: storage, deviceName: deviceName) { configuration in
            configuration.browser = (browser ?? self.browser).presenter
            configuration.flow = .browser
            configuration.transport = network.transport
            edit(&configuration)
        }
    }

    /// A configuration for code that uses Apple's own names.
    func configuration() -> AuthenticationServicesConfiguration {
        var configuration = AuthenticationServicesConfiguration(backend: backend, app: "juice")
        configuration.browser = browser.presenter
        configuration.flow = .browser
        configuration.transport = network.transport
        return configuration
    }
}

extension ServiceTransport {
    /// To a service in this process.
    static func within(_ service: any TestClientProtocol) -> Self {
        ServiceTransport { request in
            var headers = HTTPFields()
            for header in request.headers {
                guard let name = HTTPField.Name(header.key) else { continue }
                headers[name] = header.value
            }
            let answer = try await service.execute(
                uri: request.path, method: HTTPRequest.Method(request.method) ?? .get, headers: headers,
                body: request.body.map { ByteBuffer(bytes: $0) })
            return ServiceAnswer(
                status: answer.status.code,
                headers: Dictionary(answer.headers.map { ($0.name.rawName, $0.value) }) { first, _ in first },
                body: Data(answer.body.readableBytesView))
        }
    }
}
