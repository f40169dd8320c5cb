import AccountService
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

extension TestSystem {
    /// A control call of the emulator's.
    @discardableResult
    func order(_ path: String, _ members: [String: any Sendable] = [:]) async throws -> [String: Any] {
        var request = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:4010", path: path)
        request.headerFields[.contentType] = "application/json"
        let (response, body) = await emulator.respond(
            to: request, body: Array(try JSONSerialization.data(withJSONObject: members)))
        try #require((200..<300).contains(response.status.code), "\(String(decoding: body, as: UTF8.self))")
        return body.isEmpty ? [:] : try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    }

    /// Signs somebody in on a device.
    func signedIn(_ person: String = "johnny", client: ClientID = juice) async throws -> StoredSession {
        let done = try await domain.signIn.native(device(person: person, client: client))
        return try await domain.sessions.authenticate(accessToken: done.tokens.accessToken)
    }

    /// Returns when Apple's keys are in the store: they get there after those who waited for them have them.
    func keysAreKept() async throws {
        while try await store.appleKeySet() == nil {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Whether Apple takes the person's next sign-in for their first: so it is after a revocation.
    func isFirstAtApple(_ person: String = "johnny") async throws -> Bool {
        try await emulator.authorize(person: person, client: TestSystem.juiceWeb).user != nil
    }

    /// Apple signs with a new key from now on, and does not answer who asks for it.
    func losesKeys() async throws {
        try await order("/emulator/keys/rotate")
        apple.fail("/auth/keys", with: .status(503))
    }
}
