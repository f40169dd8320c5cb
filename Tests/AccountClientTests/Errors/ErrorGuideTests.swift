import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

/// The snippets of Docs/client-errors.md, letter by letter, and what they say.
@Suite("The guide to errors", .timeLimit(.minutes(2)))
struct ErrorGuideTests {
    private let device = TestDevice()

    // guide
    func signIn(with client: AccountClient) async -> String? {
        do throws(AccountClientError) {
            let account = try await client.signIn()
            return "Welcome, \(account.formattedName ?? "somebody")"
        } catch {
            switch error.code {
            case .cancelled: return nil
            case .backendUnavailable: return "Please try again in a moment."
            default: return error.reason
            }
        }
    }
    // end

    // guide
    func follow(_ deletion: AccountDeletion, with client: AccountClient) async -> String? {
        do throws(any Error) {
            for try await state in client.progress(of: deletion) where state.isOver { return nil }
            return nil
        } catch {
            return (error as? AccountClientError)?.reason
        }
    }
    // end

    // guide
    func deleteAccount(with client: AccountClient) async -> String? {
        do throws(AccountClientError) {
            try await client.deleteAccount(promptingIfNeeded: false)
            return nil
        } catch let error where error.code == .refused(.requiresRecentLogin) {
            return "Please sign in again. Then the account can be deleted."
        } catch let error where error.code == .refused(.credentialMismatch) {
            return "That was another person's Apple Account."
        } catch {
            return error.reason
        }
    }
    // end

    // guide
    func save(_ phone: String, with client: AccountClient, consent: @escaping ConsentPrompt) async -> String? {
        do throws(AccountClientError) {
            try await client.updateProfile(ProfileUpdate(phone: .set(phone)), consent: consent)
            return nil
        } catch let error where error.code == .cancelled {
            return nil  // the person said no: nothing was changed
        } catch let error where error.code == .refused(.invalidRequest) {
            return "Please write the number with its country: +49 and so on."
        } catch {
            return error.reason
        }
    }
    // end

    // guide
    func token(of client: AccountClient) async -> String? {
        do throws(AccountClientError) {
            return try await client.accessToken()
        } catch let error where error.code == .notSignedIn || error.code == .sessionEnded {
            return nil  // show the login
        } catch {
            return nil  // the person is still signed in: try later
        }
    }
    // end

    // guide
    func isKeyringLocked(_ error: AccountClientError) -> Bool {
        guard error.code == .storage, let cause = error.cause as? SecretStorageError else { return false }
        return cause.code == .locked
    }
    // end

    @Test("A person who gives up sees no message; a person who signs in is welcomed")
    func signsIn() async throws {
        let client = try device.client()
        let gaveUp = await withAuthorizationScript(AuthorizationScript(.cancel)) { await signIn(with: client) }
        #expect(gaveUp == nil)
        let script = AuthorizationScript(.credential(user: TestDevice.user, identityToken: "identity-token"))
        let welcome = await withAuthorizationScript(script) { await signIn(with: client) }
        #expect(welcome?.hasPrefix("Welcome, ") == true)
    }

    @Test("If the service is unavailable, the message says to try again in a moment")
    func away() async throws {
        let client = try device.client()
        device.service.on("POST /v1/sign-in/apple", .refusal(503, .unavailable))
        let script = AuthorizationScript(.credential(user: TestDevice.user, identityToken: "identity-token"))
        let text = await withAuthorizationScript(script) { await signIn(with: client) }
        #expect(text == "Please try again in a moment.")
    }

    @Test("A deletion without a recent sign-in asks the person to sign in again")
    func deletion() async throws {
        let client = try await device.signedInClient()
        device.service.on("DELETE /v1/account", .refusal(403, .requiresRecentLogin))
        #expect(await deleteAccount(with: client) == "Please sign in again. Then the account can be deleted.")
    }

    @Test("A person who doesn't consent sees no message, and an invalid number is asked for again")
    func profile() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1")
        #expect(await save("+493012345678", with: client) { _ in false } == nil)
        #expect(await client.account?.phone == nil)
        device.service.on("PATCH /v1/account", .refusal(400, .invalidRequest))
        #expect(await save("030", with: client) { _ in true }?.hasPrefix("Please write the number") == true)
    }

    @Test("Without a session, no access token is returned")
    func nobody() async throws {
        #expect(await token(of: try device.client()) == nil)
        #expect(await token(of: try await device.signedInClient()) == "access-1.0")
    }

    @Test("A locked keyring is distinguished from other failures")
    func locked() {
        let locked = SecretStorageError(.locked, "the keyring is locked")
        #expect(isKeyringLocked(AccountClientError(.storage, "storage", cause: locked)))
        #expect(!isKeyringLocked(AccountClientError(.storage, "storage")))
    }
}
