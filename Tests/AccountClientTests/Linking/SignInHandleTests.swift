import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@Suite("An Apple Account of another account", .timeLimit(.minutes(2)))
struct SignInHandleTests {
    private let device = TestDevice()
    private static let secret = "a-handle-of-the-service-s-own-nobody-may-see"

    /// The error of a link of an Apple Account that opens another account.
    private func conflict(_ client: AccountClient) async throws -> AccountClientError {
        device.service.on("POST /v1/link/apple") { _ in try .conflict(handle: Self.secret) }
        return try #require(
            await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
                await failure { try await client.link() }
            })
    }

    private func otherAccount() {
        var other = TestService.account
        other.id = "acc_2"
        device.service.account = other
        device.service.on("POST /v1/sign-in/handle") { [service = device.service] _ in try service.signIn() }
    }

    @Test("The error has a handle, which signs in to the other account in place of the credential")
    func signsIn() async throws {
        let client = try await device.clientBeforeLink()
        let error = try await conflict(client)
        #expect(error.code == .refused(.credentialAlreadyInUse))
        let handle = try #require(error.signInHandle)
        #expect(handle.expiresAt == Date(timeIntervalSince1970: 1_700_000_300))
        // Nothing has happened yet.
        #expect(await client.account?.id == "acc_1")
        otherAccount()
        let account = try await client.signIn(with: handle)
        #expect(account.id == "acc_2" && account.user == TestDevice.user)
        let call = try #require(device.service.requests("POST /v1/sign-in/handle").first)
        #expect(call.json["handle"] as? String == Self.secret)
        #expect(call.headers["Authorization"] == "Bearer access-1.0")
        #expect(try await client.accessToken() == "access-2.0")
        #expect(try await device.client().existingAccount()?.id == "acc_2")
    }

    @Test("Nothing shows the handle: no error, no description, no dump, no storage")
    func redacted() async throws {
        let client = try await device.clientBeforeLink()
        let error = try await conflict(client)
        let handle = try #require(error.signInHandle)
        var dumped = ""
        dump(error, to: &dumped)
        dump(handle, to: &dumped)
        for text in ["\(error)", "\(handle)", String(reflecting: error), String(reflecting: handle), dumped] {
            #expect(!text.contains(Self.secret))
        }
        #expect(try device.stored?.contains(Self.secret) == false)
    }

    @Test("A conflict without a handle, as of an older service or an upgrade, is a plain refusal")
    func noHandle() async throws {
        let client = try await device.clientBeforeLink()
        device.service.on("POST /v1/link/apple", .refusal(409, .credentialAlreadyInUse))
        let error = await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            await failure { try await client.link() }
        }
        #expect(error?.code == .refused(.credentialAlreadyInUse))
        #expect(error?.signInHandle == nil && error?.hint != nil)
    }

    @Test("A handle that was used or is another session's is refused, and the person stays signed in")
    func refused() async throws {
        let client = try await device.clientBeforeLink()
        let handle = try #require(try await conflict(client).signInHandle)
        device.service.on("POST /v1/sign-in/handle", .refusal(401, .handleInvalid))
        let error = await failure { try await client.signIn(with: handle) }
        #expect(error?.code == .refused(.handleInvalid) && error?.hint != nil)
        #expect(await client.account?.id == "acc_1")
    }

    @Test("Nobody signs in with a handle after they have signed out")
    func signedOut() async throws {
        let client = try await device.clientBeforeLink()
        let handle = try #require(try await conflict(client).signInHandle)
        try await client.signOut()
        #expect(await failure { try await client.signIn(with: handle) }?.code == .notSignedIn)
        #expect(device.service.requests("POST /v1/sign-in/handle").isEmpty)
    }
}
