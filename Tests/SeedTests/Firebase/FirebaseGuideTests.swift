import AccountClient
import AppleIDTesting
import AuthenticationServices
import AuthenticationServicesTesting
import Testing

/// The snippets of Docs/firebase.md, letter by letter: Firebase's calls, and those of AccountClient in their place.
extension FirebaseAccountTests {
    // MARK: Signing in

    // guide
    func signIn(_ appleIDCredential: ASAuthorizationAppleIDCredential, nonce: String) async throws -> String? {
        let token = appleIDCredential.identityToken.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let credential = OAuthProvider.appleCredential(
            withIDToken: token, rawNonce: nonce, fullName: appleIDCredential.fullName)
        return try await Auth.auth().signIn(with: credential).user.displayName
    }
    // end

    // guide
    func signIn(with client: AccountClient) async throws(AccountClientError) -> String? {
        try await client.signIn().formattedName
    }
    // end

    // guide
    func signIn(
        _ appleIDCredential: ASAuthorizationAppleIDCredential, nonce: String, with client: AccountClient
    ) async throws(AccountClientError) -> String? {
        try await client.signIn(with: AppleCredential(appleIDCredential, nonce: nonce)).formattedName
    }
    // end

    @Test("Firebase's guide: both ways of signing in lead to the same account")
    func guideToSignIn() async throws {
        try await Backend.run { backend in
            let client = backend.client()
            Auth.configure(client: client)
            let name = try await withAuthorizationScript(AuthorizationScript(.johnny(at: backend.emulator))) {
                try await self.signIn(with: client)
            }
            #expect(name == "Johnny Appleseed")
            let first = await client.account?.id
            for isFirebase in [true, false] {
                let nonce = try CryptoUtils.randomNonceString()
                let answer = try await backend.emulator.authorize(
                    client: Backend.app, nonce: CryptoUtils.sha256(nonce), native: true)
                let credential = ASAuthorizationAppleIDCredential(
                    user: IdentityTokenText(answer.identityToken ?? "").subject,
                    identityToken: answer.identityToken.map { Data($0.utf8) })
                let name =
                    isFirebase
                    ? try await self.signIn(credential, nonce: nonce)
                    : try await self.signIn(credential, nonce: nonce, with: client)
                #expect(name == "Johnny Appleseed")
                #expect(await client.account?.id == first)
            }
        }
    }

    // MARK: Proving who is there

    // guide
    func reauthenticate(idToken: String, nonce: String) async throws {
        let credential = OAuthProvider.credential(withProviderID: "apple.com", idToken: idToken, rawNonce: nonce)
        try await Auth.auth().currentUser?.reauthenticate(with: credential)
    }
    // end

    // guide
    func reauthenticate(with client: AccountClient) async throws(AccountClientError) {
        try await client.reauthenticate()
    }
    // end

    @Test("Firebase's guide: both ways prove who is there")
    func guideToReauthentication() async throws {
        try await Backend.run { backend in
            let client = backend.client()
            Auth.configure(client: client)
            try await self.signIn(at: backend)
            let nonce = try await client.reauthenticationNonce()
            let changes = try await Self.changes(of: "johnny", nonce: nonce, at: backend)
            try await self.reauthenticate(idToken: changes.appleIdToken, nonce: nonce)
            try await withAuthorizationScript(AuthorizationScript(.johnny(at: backend.emulator))) {
                try await self.reauthenticate(with: client)
            }
            await #expect(throws: AccountClientError(.refused(.credentialMismatch), "")) {
                try await withAuthorizationScript(AuthorizationScript(.person("zoe", at: backend.emulator))) {
                    try await self.reauthenticate(with: client)
                }
            }
        }
    }

    // MARK: Linking

    // guide
    func link(idToken: String, nonce: String) async throws {
        let credential = OAuthProvider.credential(withProviderID: "apple.com", idToken: idToken, rawNonce: nonce)
        try await Auth.auth().currentUser?.link(with: credential)
    }
    // end

    // guide
    func link(
        with client: AccountClient, asking person: @escaping @Sendable (ConsentQuestion) async -> Bool
    ) async throws(AccountClientError) -> [AccountIdentity] {
        try await client.link { question in await person(question) }
    }
    // end

    // guide
    func link(email: String, password: String) async throws {
        let credential = EmailAuthProvider.credential(withEmail: email, password: password)
        try await Auth.auth().currentUser?.link(with: credential)
    }
    // end

    // guide
    func link(email: String, password: String, with client: AccountClient) async throws(AccountClientError) {
        try await client.link(email: email, password: password)
    }
    // end

    // guide
    func open(_ url: URL, with client: AccountClient) async throws(AccountClientError) -> [AccountIdentity] {
        guard let link = EmailLink(url), try await client.details(of: link).purpose == .link else { return [] }
        return try await client.finishLink(link)
    }
    // end

    @Test("Firebase's guide: both ways add an Apple Account and an address", arguments: [true, false])
    func guideToLinks(isFirebase: Bool) async throws {
        try await Backend.run { backend in
            let client = backend.client()
            Auth.configure(client: client)
            try await self.signIn(at: backend)
            let (email, password) = ("johnny@home.example", "violet otter, 42 stamps")
            if isFirebase {
                let nonce = try await client.linkNonce()
                let changes = try await Self.changes(of: "zoe", nonce: nonce, at: backend)
                try await self.link(idToken: changes.appleIdToken, nonce: nonce)
                try await self.link(email: email, password: password)
            } else {
                let links = try await withAuthorizationScript(
                    AuthorizationScript(.person("zoe", at: backend.emulator))
                ) {
                    try await self.link(with: client) { _ in true }
                }
                #expect(links.count == 2)
                try await self.link(email: email, password: password, with: client)
            }
            let links = try await self.open(try await backend.link(), with: client)
            #expect(links.count { $0.provider == .apple } == 2 && links.count { $0.provider == .email } == 1)
            let again = backend.client()
            #expect(try await again.signIn(email: email, password: password).id == client.account?.id)
        }
    }

    // MARK: The updated credential

    // guide
    func linkOrGoThere(_ credential: OAuthCredential, show: @escaping @MainActor (User?, Error?) -> Void) {
        Auth.auth().currentUser?.link(with: credential) { result, error in
            guard let error = error as NSError?,
                let updated = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential
            else { return show(result?.user, error) }
            Auth.auth().signIn(with: updated) { result, error in show(result?.user, error) }
        }
    }
    // end

    // guide
    func linkOrGoThere(
        with client: AccountClient, asking person: @Sendable () async -> Bool
    ) async throws(AccountClientError) -> Account? {
        do throws(AccountClientError) {
            try await client.link()
            return await client.account
        } catch {
            guard let handle = error.signInHandle, await person() else { throw error }
            return try await client.signIn(with: handle)
        }
    }
    // end

    @Test("Firebase's guide: both ways open the other account of an Apple Account", arguments: [true, false])
    func guideToConflicts(isFirebase: Bool) async throws {
        try await Backend.run { backend in
            let taken = try await Self.signIn("zoe", at: backend)
            let client = backend.client()
            Auth.configure(client: client)
            try await self.signIn(at: backend)
            if isFirebase {
                let nonce = try await client.linkNonce()
                let changes = try await Self.changes(of: "zoe", nonce: nonce, at: backend)
                let shown = Happenings<String?>()
                await self.linkOrGoThere(
                    OAuthProvider.credential(
                        withProviderID: "apple.com", idToken: changes.appleIdToken, rawNonce: nonce)
                ) { user, _ in shown.note(user?.uid) }
                #expect(try await shown.next() == taken.id)
                return
            }
            let there = try await withAuthorizationScript(
                AuthorizationScript(.person("zoe", at: backend.emulator))
            ) {
                await #expect(throws: AccountClientError(.refused(.credentialAlreadyInUse), "")) {
                    try await self.linkOrGoThere(with: client) { false }
                }
                return try await self.linkOrGoThere(with: client) { true }
            }
            #expect(there?.id == taken.id)
        }
    }

    // MARK: Unlinking

    // guide
    func unlink() async throws {
        try await Auth.auth().currentUser?.unlink(fromProvider: "password")
    }
    // end

    // guide
    func unlink(_ identity: AccountIdentity, with client: AccountClient) async throws(AccountClientError) -> String? {
        let outcome = try await client.unlink(identity)
        return outcome.manualRemoval?.message
    }
    // end

    @Test("Firebase's guide: both ways remove a way in", arguments: [true, false])
    func guideToUnlinking(isFirebase: Bool) async throws {
        try await Backend.run { backend in
            let client = backend.client()
            Auth.configure(client: client)
            try await self.signIn(at: backend)
            try await client.link(email: "johnny@home.example", password: "violet otter, 42 stamps")
            let links = try await self.open(try await backend.link(), with: client)
            let email = try #require(links.first { $0.provider == .email })
            if isFirebase {
                try await self.unlink()
            } else {
                #expect(try await self.unlink(email, with: client) == nil)
            }
            #expect(try await client.links().map(\.provider) == [.apple])
        }
    }

    // MARK: The end of an account, and of a session

    // guide
    func delete(authorizationCode: String) async throws {
        try await Auth.auth().revokeToken(withAuthorizationCode: authorizationCode)
        try await Auth.auth().currentUser?.delete()
    }
    // end

    // guide
    func delete(with client: AccountClient) async throws(AccountClientError) -> String? {
        try await client.deleteAccount().manualRemoval?.message
    }
    // end

    // guide
    func signOut() throws {
        try Auth.auth().signOut()
    }
    // end

    // guide
    func signOut(with client: AccountClient) async throws(AccountClientError) {
        try await client.signOut()
    }
    // end

    @Test("Firebase's guide: both ways delete the account, and sign out", arguments: [true, false])
    func guideToTheEnd(isFirebase: Bool) async throws {
        try await Backend.run { backend in
            let client = backend.client()
            Auth.configure(client: client)
            try await self.signIn(at: backend)
            let first = Auth.auth().currentUser?.uid
            if isFirebase {
                try await self.signOut()
                for await state in client.session where state.account == nil { break }
            } else {
                try await self.signOut(with: client)
            }
            #expect(await client.account == nil)
            try await self.signIn(at: backend)
            #expect(Auth.auth().currentUser?.uid == first)
            if isFirebase {
                let nonce = try CryptoUtils.randomNonceString()
                let answer = try await backend.emulator.authorize(
                    client: Backend.app, nonce: CryptoUtils.sha256(nonce), native: true)
                try await self.delete(authorizationCode: try #require(answer.code?.rawValue))
            } else {
                // Firebase's credential has no code, so the service has no token that it could revoke.
                #expect(try await self.delete(with: client) != nil)
            }
            #expect(await client.account == nil)
            let next = try await withAuthorizationScript(AuthorizationScript(.johnny(at: backend.emulator))) {
                try await client.signIn()
            }
            #expect(next.id != first)
        }
    }

    // MARK: Anonymous accounts

    // guide
    func signInAndKeep(
        _ draft: Data, with client: AccountClient, upload: (Data, String) async -> Void
    ) async throws(AccountClientError) -> Account {
        let account = try await client.signIn()
        await upload(draft, try await client.accessToken())
        return account
    }
    // end

    @Test("Firebase's guide: a draft waits on the device until somebody has signed in")
    func guideToDrafts() async throws {
        try await Backend.run { backend in
            let client = backend.client()
            let uploads = Happenings<Data>()
            _ = try await withAuthorizationScript(AuthorizationScript(.johnny(at: backend.emulator))) {
                try await self.signInAndKeep(Data("a draft".utf8), with: client) { draft, token in
                    #expect(!token.isEmpty)
                    uploads.note(draft)
                }
            }
            try await uploads.expect(Data("a draft".utf8))
        }
    }
}
