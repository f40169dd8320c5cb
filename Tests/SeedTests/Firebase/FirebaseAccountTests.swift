import AccountClient
import AuthenticationServices
import AuthenticationServicesTesting
import Testing

/// One after the other: Firebase has one `Auth` a process.
@MainActor
@Suite("The Firebase guide's account", .serialized, .timeLimit(.minutes(1)))
struct FirebaseAccountTests {
    let controller = MainViewController()

    @Test("Firebase › Sign in with Apple and authenticate with Firebase › step 3, signing in")
    func signIn() async throws {
        try await Backend.run { backend in
            Auth.configure(client: backend.client())
            try await signIn(at: backend)
            let first = try #require(Auth.auth().currentUser)
            #expect(first.email == "johnny@example.com")
            // "Apple only shares user information … the first time": the account service has kept it.
            try await signIn(at: backend)
            #expect(Auth.auth().currentUser?.displayName == "Johnny Appleseed")
            #expect(Auth.auth().currentUser?.uid == first.uid)
        }
    }

    @Test("Firebase › Sign in with Apple and authenticate with Firebase › step 3, another nonce")
    func otherNonce() async throws {
        try await Backend.run { backend in
            Auth.configure(client: backend.client())
            let printed = Happenings<String>()
            try await Printed.$lines.withValue(printed) {
                let script = AuthorizationScript(.johnny(at: backend.emulator, nonce: "somebody else's nonce"))
                try await withAuthorizationScript(script) {
                    await controller.startSignInWithAppleFlow()
                    try await printed.expect(AuthErrorCode.missingOrInvalidNonce.error.localizedDescription)
                }
            }
            #expect(Auth.auth().currentUser == nil)
        }
    }

    @Test("Firebase › Reauthentication and account linking › reauthenticate")
    func reauthenticate() async throws {
        try await Backend.run { backend in
            let client = backend.client()
            Auth.configure(client: client)
            try await signIn(at: backend)
            let nonce = try await client.reauthenticationNonce()
            let fresh = try await backend.emulator.authorize(
                client: Backend.app, nonce: CryptoUtils.sha256(nonce), native: true)
            let changes = AccountChanges(appleIdToken: fresh.identityToken ?? "", rawNonce: nonce)
            await changes.reauthenticate()
            #expect(try await changes.errors.next() == nil)
            // The same credential again is worth nothing, and neither is one for a nonce of the app's own.
            await changes.reauthenticate()
            #expect(try await changes.errors.next() != nil)
            let own = try CryptoUtils.randomNonceString()
            let other = try await backend.emulator.authorize(
                client: Backend.app, nonce: CryptoUtils.sha256(own), native: true)
            let mistaken = AccountChanges(appleIdToken: other.identityToken ?? "", rawNonce: own)
            await mistaken.reauthenticate()
            #expect(try await mistaken.errors.next() == AuthErrorCode.missingOrInvalidNonce.error)
        }
    }

    @Test("Firebase › Token revocation › step 2, asking again")
    func askAgain() async throws {
        let deletion = DeletionViewController(user: nil)
        let script = AuthorizationScript(.success(ASAuthorizationAppleIDCredential(user: "001999.johnny")))
        let printed = Happenings<String>()
        try await Printed.$lines.withValue(printed) {
            try await withAuthorizationScript(script) {
                deletion.deleteCurrentUser()
                try await printed.expect("Unable to fetch authorization code")
            }
        }
        #expect(script.requests.first?.nonce?.count == 64)
        #expect(script.requests.first?.requestedScopes == [.fullName, .email])
    }

    @Test("Firebase › Token revocation › step 3, revoking")
    func revoke() async throws {
        try await Backend.run { backend in
            Auth.configure(client: backend.client())
            try await signIn(at: backend)
            let deletion = await DeletionViewController(user: Auth.auth().currentUser)
            try await withAuthorizationScript(AuthorizationScript(.johnny(at: backend.emulator))) {
                await deletion.deleteCurrentUser()
                try await deletion.happenings.expect(.updated)
            }
            try await backend.tellApple()
            // A person who returns has a new account, and Apple tells the name once more.
            let former = Auth.auth().currentUser?.uid
            try await signIn(at: backend)
            #expect(Auth.auth().currentUser?.uid != former)
        }
    }

    @Test("Firebase › Next steps › signing out")
    func signOut() async throws {
        try await Backend.run { backend in
            let client = backend.client()
            Auth.configure(client: client)
            try await signIn(at: backend)
            await AccountChanges(appleIdToken: "", rawNonce: "").signOut()
            #expect(Auth.auth().currentUser == nil)
            for await state in client.session where state.account == nil { break }

            // Nobody is there any more: the snippet prints it.
            let printed = Happenings<String>()
            try await Printed.$lines.withValue(printed) {
                await AccountChanges(appleIdToken: "", rawNonce: "").signOut()
                let line = try await printed.next()
                #expect(line.hasPrefix("Error signing out: %@"))
            }
        }
    }

    func signIn(at backend: Backend) async throws {
        try await withAuthorizationScript(AuthorizationScript(.johnny(at: backend.emulator))) {
            controller.startSignInWithAppleFlow()
            let happening = try await controller.happenings.next()
            #expect(happening == .signedIn(name: "Johnny Appleseed"))
        }
    }
}
