import AccountClient
import AppleIDTesting
import AuthenticationServices
import AuthenticationServicesTesting
import Testing

extension FirebaseAccountTests {
    /// A credential of one of the emulator's people, for the hash of a nonce.
    static func changes(
        of person: String, nonce: String, hidesEmail: Bool = false, at backend: Backend
    ) async throws -> AccountChanges {
        let answer = try await backend.emulator.authorize(
            person: person, client: Backend.app, nonce: CryptoUtils.sha256(nonce), hidesEmail: hidesEmail, native: true)
        return AccountChanges(appleIdToken: try #require(answer.identityToken), rawNonce: nonce)
    }

    /// Signs another person in, with a client of their own.
    static func signIn(_ person: String, at backend: Backend) async throws -> Account {
        let changes = try await changes(of: person, nonce: try CryptoUtils.randomNonceString(), at: backend)
        let client = backend.client()
        return try await client.signIn(
            with: AppleCredential(
                user: IdentityTokenText(changes.appleIdToken).subject, identityToken: changes.appleIdToken,
                authorizationCode: nil, nonce: changes.rawNonce))
    }

    @Test("Firebase › Reauthentication and account linking › link")
    func link() async throws {
        try await Backend.run { backend in
            Auth.configure(client: backend.client())
            try await signIn(at: backend)
            let changes = AccountChanges(appleIdToken: "a token", rawNonce: "a nonce")
            await changes.link()
            #expect(try await changes.errors.next() == AuthErrorCode.operationNotAllowed.error)
        }
    }

    @Test("Firebase › Reauthentication and account linking › link with an Apple Account")
    func linkApple() async throws {
        try await Backend.run { backend in
            let client = backend.client()
            Auth.configure(client: client)
            try await signIn(at: backend)
            let changes = try await Self.changes(of: "zoe", nonce: try await client.linkNonce(), at: backend)
            await changes.linkApple()
            #expect(try await changes.errors.next() == nil)
            // "The user can now sign in with" either "to the same Firebase account."
            let uid = Auth.auth().currentUser?.uid
            #expect(try await Self.signIn("zoe", at: backend).id == uid)
            #expect(try await Self.signIn("johnny", at: backend).id == uid)
            // A nonce of the app's own proves nothing.
            let own = try CryptoUtils.randomNonceString()
            let mistaken = try await Self.changes(of: "dafni", nonce: own, at: backend)
            await mistaken.linkApple()
            #expect(try await mistaken.errors.next() == AuthErrorCode.missingOrInvalidNonce.error)
        }
    }

    @Test("Firebase › Reauthentication and account linking › the updated credential")
    func updatedCredential() async throws {
        try await Backend.run { backend in
            let taken = try await Self.signIn("zoe", at: backend)
            let client = backend.client()
            Auth.configure(client: client)
            try await signIn(at: backend)
            let uid = Auth.auth().currentUser?.uid
            let changes = try await Self.changes(of: "zoe", nonce: try await client.linkNonce(), at: backend)
            await changes.linkApple()
            #expect(try await changes.errors.next()?.code == AuthErrorCode.credentialAlreadyInUse.rawValue)
            #expect(try await changes.errors.next() == nil)
            #expect(Auth.auth().currentUser?.uid == taken.id && taken.id != uid)
            // Nothing was joined.
            #expect(try await Self.signIn("johnny", at: backend).id == uid)
        }
    }

    @Test(
        "Firebase › Reauthentication and account linking › explicit consent", arguments: [true, false, nil])
    func consent(agrees: Bool?) async throws {
        try await Backend.run { backend in
            let client = backend.client()
            let prompt: ConsentPrompt = { _ in agrees == true }
            Auth.configure(client: client, consent: agrees == nil ? nil : prompt)
            try await withAuthorizationScript(
                AuthorizationScript(.johnny(at: backend.emulator, hidesEmail: true))
            ) {
                await controller.startSignInWithAppleFlow()
                _ = try await controller.happenings.next()
            }
            let changes = try await Self.changes(of: "zoe", nonce: try await client.linkNonce(), at: backend)
            await changes.linkApple()
            let error = try await changes.errors.next()
            #expect(
                error?.code
                    == (agrees == true
                        ? nil : (agrees == nil ? AuthErrorCode.consentRequired : .invalidCredential).rawValue))
            #expect(try await client.links().count == (agrees == true ? 2 : 1))
            #expect(try await client.consents().isEmpty == (agrees != true))
        }
    }
}
