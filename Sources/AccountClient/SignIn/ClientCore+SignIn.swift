import AccountAPI
import Foundation

import enum OpenAuthenticationServices.BackendURL
import enum OpenAuthenticationServices.RandomText
import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    /// What an authorization brought, for the state it was begun with.
    struct Authorized: Sendable {
        var credential: AppleCredential
        var state: String?
    }

    /// Asks the person, with the nonce as Apple shall have it, and the state.
    typealias Authorize = @Sendable (_ nonce: String, _ state: String) async throws -> Authorized

    func signIn(_ authorize: @escaping Authorize) async throws -> Account {
        try await runAuthorization { core, number in
            let nonce = Nonce()
            let state = RandomText.make(byteCount: 32)
            try await core.prepare()
            var authorized = try await authorize(nonce.hash, state)
            guard authorized.state == state else { throw Self.otherRequest }
            authorized.credential.nonce = nonce.text
            return try await core.present(authorized.credential, number: number)
        }
    }

    func signIn(with credential: AppleCredential) async throws -> Account {
        try await runAuthorization { core, number in
            try await core.prepare()
            return try await core.present(credential, number: number)
        }
    }

    /// One at a time, be it a sign-in or a proof of who is there: a new one cancels the old one, which throws
    /// `cancelled`.
    func runAuthorization<Value: Sendable>(
        _ work: @escaping @Sendable (ClientCore, _ number: Int) async throws -> Value
    ) async throws -> Value {
        cancelSignIn()
        let number = nextNumber()
        let task = Task {
            do {
                return try await work(self, number)
            } catch {
                throw Task.isCancelled && !(error is AccountClientError) ? Self.superseded : error
            }
        }
        signIn = RunningSignIn(number: number, cancel: { task.cancel() })
        defer {
            if signIn?.number == number { signIn = nil }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func cancelSignIn() {
        signIn?.cancel()
        signIn = nil
    }

    static let otherRequest = AccountClientError(.invalidResponse, "the authorization answers another request")

    private static let superseded = AccountClientError(
        .cancelled, "the sign-in was cancelled, or another one has taken its place")

    /// Finds out what must fail before the person is sent to Apple. A record that is damaged, or
    /// in a keyring that is locked, is replaced by the new one.
    private func prepare() async throws(AccountClientError) {
        if let fault = BackendURL.fault(of: connection.backend) {
            throw AccountClientError(.notConfigured, fault)
        }
        do {
            _ = try await loaded()
        } catch {
            guard (error.cause as? SecretStorageError)?.code.isReplaceable == true else { throw error }
            record = StoredRecord()
        }
    }

    // MARK: At the account service

    private func present(_ credential: AppleCredential, number: Int) async throws(AccountClientError) -> Account {
        let request = try request(for: credential)
        // Apple does not repeat a name: it is safe before anything else can fail.
        if let name = FullName(credential.fullName), name != record?.pendingName(of: credential.user) {
            record?.keepPending(name, of: credential.user)
            try await save()
        }
        let answer: SignInAnswer
        do {
            answer = try await repeating(attempts: 4) { () async throws(ServiceError) in
                try await self.connection.send("POST", "/v1/sign-in/apple", body: request)
            }
        } catch {
            throw AccountClientError(error, doing: "signing in")
        }
        guard signIn?.number == number, !Task.isCancelled else {
            endLater(answer.session)
            throw Self.superseded
        }
        return try await begin(answer, user: credential.user)
    }

    static func check(_ credential: AppleCredential) throws(AccountClientError) {
        guard credential.identityToken != nil || credential.authorizationCode != nil else {
            throw AccountClientError(.invalidResponse, "the credential has neither identity token nor code")
        }
        guard credential.identityToken != nil || credential.clientID != nil else {
            throw AccountClientError(
                .notConfigured, "a code without an identity token needs to say whose it is",
                hint: "Set clientID to the bundle or Services identifier that the code was given to.")
        }
    }

    private func request(for credential: AppleCredential) throws(AccountClientError) -> NativeSignInRequest {
        try Self.check(credential)
        return NativeSignInRequest(
            identityToken: credential.identityToken, authorizationCode: credential.authorizationCode,
            nonce: credential.nonce,
            fullName: FullName(credential.fullName) ?? record?.pendingName(of: credential.user),
            clientID: credential.clientID, deviceName: deviceName)
    }

    /// The new session takes the old one's place. When it cannot be stored it is ended: a session that does not outlive
    /// the process is not what was asked for.
    private func begin(_ answer: SignInAnswer, user: String) async throws(AccountClientError) -> Account {
        let former = (record: record, access: access, isConfirmed: isConfirmed, isUnsaved: isUnsaved)
        era += 1
        endRefresh(.failure(AccountClientError(.cancelled, "somebody has signed in meanwhile")))
        let session = StoredSession(
            user: user, refreshToken: answer.session.refreshToken, account: answer.account, deviceName: deviceName,
            standing: AppleStanding(state: "authorized", askedAt: now))
        record?.session = session
        record?.ended = nil
        record?.forgetPendingName(of: user)
        access = AccessToken(
            token: answer.session.accessToken, expiresAt: environment.now() + .seconds(answer.session.expiresIn))
        isConfirmed = true
        let era = self.era
        do {
            try await save()
        } catch {
            if era == self.era {
                endLater(answer.session)
                (record, access, isConfirmed, isUnsaved) = former
                publish()
            }
            throw error
        }
        publish()
        if let old = former.record?.session { endLater(old, access: former.access) }
        return Account(session, isConfirmed: true)
    }
}
