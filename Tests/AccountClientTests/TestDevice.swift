import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

/// One device: a storage that outlives the clients on it, a clock, and an account service far away.
struct TestDevice: Sendable {
    let service = TestService()
    let time = TestTime()
    let storage: any SecretStorage

    static let backend = "https://accounts.example.com"
    static let user = "001999.f2a7"
    static let name = SecretName(service: "com.example.app", account: "session at \(backend)")

    init(storage: any SecretStorage = MemoryStorage()) {
        self.storage = storage
    }

    /// A client as a start of the app makes it.
    func client(deviceName: String = "") throws -> AccountClient {
        let backend = try #require(URL(string: Self.backend))
        var configuration = AuthenticationServicesConfiguration(backend: backend, app: "com.example.app")
        configuration.transport = service.transport
        return AccountClient(
            configuration: configuration, storage: storage, deviceName: deviceName, environment: time.environment)
    }

    /// A client with a session of ``user``'s.
    func signedInClient() async throws -> AccountClient {
        let client = try client()
        try await client.signIn(with: Self.credential())
        return client
    }

    static func credential(user: String = user, fullName: PersonNameComponents? = nil) -> AppleCredential {
        AppleCredential(
            user: user, identityToken: "identity-token", authorizationCode: "apple-code",
            nonce: "a-nonce-of-the-app-s-own", fullName: fullName)
    }

    /// The answer of a person who signs in at Apple.
    static func appleAnswer(user: String = user, fullName: PersonNameComponents? = nil) -> AuthorizationScript.Answer {
        .credential(
            user: user, identityToken: "identity-token", authorizationCode: "apple-code", fullName: fullName,
            email: fullName == nil ? nil : "ada@example.com")
    }

    /// The content of storage, as text.
    var stored: String? {
        get throws { try storage.secret(Self.name) }
    }
}

let ada = PersonNameComponents(givenName: "Ada", familyName: "Lovelace")

/// The error of a call of a client that must fail.
func failure<Value>(_ call: () async throws -> Value) async -> AccountClientError? {
    do {
        _ = try await call()
        return nil
    } catch {
        return error as? AccountClientError
    }
}
