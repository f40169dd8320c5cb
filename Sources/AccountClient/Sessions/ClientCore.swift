import AccountAPI
import Foundation

import struct OpenAuthenticationServices.ServiceConnection
import enum OpenAuthenticationServices.ServiceError

/// The state of one client. Between two suspensions a decision and its effects stay together.
actor ClientCore {
    let connection: ServiceConnection
    let store: RecordStore
    let environment: ClientEnvironment
    /// What the list of sessions calls this device.
    let deviceName: String?
    nonisolated let states = SessionBroadcast()

    /// nil until storage has been read.
    var record: StoredRecord?
    /// The refresh token that storage had when it was read or written last.
    var storedToken: String?
    /// Whether memory knows something that storage does not, because storage failed.
    var isUnsaved = false
    var access: AccessToken?
    var isConfirmed = false
    /// Why nobody is signed in, when nobody is.
    var signOutReason = SignOutReason.noSession
    var refresh: SharedRefresh?
    var signIn: RunningSignIn?
    /// Told apart by it: refreshes, sign-ins, and what was begun before and after a change of session.
    var lastNumber = 0
    /// Grows when the session becomes another one; what was begun under the former is dropped.
    var era = 0

    init(
        connection: ServiceConnection, app: String, storage: any SecretStorage, deviceName: String,
        environment: ClientEnvironment
    ) {
        self.connection = connection
        self.deviceName = deviceName.isEmpty ? nil : deviceName
        self.store = RecordStore(
            storage: storage,
            name: SecretName(service: app, account: "session at \(connection.backend.absoluteString)"))
        self.environment = environment
    }

    // MARK: Who is signed in

    /// The present state, after storage has been read.
    func state() async -> SessionState {
        do {
            _ = try await loaded()
        } catch {
            // Told as a state: `existingAccount()` gives the error itself.
            signOutReason = .storageUnreadable
            states.publish(.signedOut(.storageUnreadable))
            return .signedOut(.storageUnreadable)
        }
        return presentState
    }

    /// The record in memory, read from storage at first.
    func loaded() async throws(AccountClientError) -> StoredRecord {
        if let record { return record }
        let stored = try await store.load()
        // Another call may have been faster, and have gone on from there.
        if let record { return record }
        record = stored
        storedToken = stored.session?.refreshToken
        if signOutReason == .storageUnreadable { signOutReason = .noSession }
        if stored.ended?.standing?.isEnded == true { signOutReason = .appleAccessEnded }
        publish()
        return stored
    }

    var presentState: SessionState {
        guard let session = record?.session else { return .signedOut(signOutReason) }
        return .signedIn(Account(session, isConfirmed: isConfirmed))
    }

    func publish() {
        states.publish(presentState)
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Changing it

    /// Takes what another process has stored.
    func adopt(_ stored: StoredRecord) {
        let isOther = stored.session?.account.id != record?.session?.account.id
        let hadSession = record?.session != nil
        record = stored
        storedToken = stored.session?.refreshToken
        if isOther {
            access = nil
            isConfirmed = false
        }
        if stored.session == nil {
            let isAppleWord = stored.ended?.standing?.isEnded == true
            signOutReason = isAppleWord ? .appleAccessEnded : .signedOut
            if isAppleWord, hadSession { environment.appleAccessEnded() }
        }
        publish()
    }

    /// Writes the record of memory to storage.
    ///
    /// - Parameter replacing: whether a session that another process has stored meanwhile goes too. Else it is adopted
    ///   when memory has none.
    func save(replacing: Bool = false) async throws(AccountClientError) {
        guard let record else { return }
        isUnsaved = true
        let saved = try await store.save(record, lastSeen: storedToken, replacing: replacing)
        storedToken = saved.session?.refreshToken
        guard self.record == record else { return }
        isUnsaved = false
        if record.session == nil, saved.session != nil {
            adopt(saved)
        } else {
            self.record = saved
        }
    }

    /// The session is over, in memory.
    func forgetSession(_ reason: SignOutReason) {
        era += 1
        record?.session = nil
        record?.ended = nil
        access = nil
        isConfirmed = false
        signOutReason = reason
        publish()
    }

    /// The account service says that the session is over. Whoever hears of it finds no session in storage; when that
    /// fails, the cause is the storage's error, and the next start asks again and hears the same. Whether it was
    /// Apple's word that ended it is asked first.
    ///
    /// - Parameter refreshToken: the one that the session had when the account service was asked.
    /// - Returns: nil when there is another session by now, which another process has stored: ask again with that.
    func endSession(
        _ code: ErrorCode, of refreshToken: String?, because error: ServiceError
    ) async -> AccountClientError? {
        guard record?.session?.refreshToken == refreshToken else { return nil }
        let era = self.era
        do {
            let stored = try await store.load()
            guard era == self.era, record?.session?.refreshToken == refreshToken else { return nil }
            if let other = stored.session?.refreshToken, other != refreshToken, other != storedToken {
                isUnsaved = false
                access = nil
                adopt(stored)
                return nil
            }
        } catch {
            // Told by the save that follows, unless storage has come back: then it takes its own look.
        }
        guard let session = record?.session else { return nil }
        let ending = await ending(code, of: session.refreshToken)
        guard era == self.era, record?.session?.refreshToken == refreshToken else { return nil }
        let failure =
            switch ending {
            case .byApple(let standing):
                await concludeSession(
                    standing.isEnded ? .appleAccessEnded : .ended(code), leaving: EndedSession(session, standing))
            case .otherwise: await concludeSession(.ended(code), leaving: nil)
            case .unknown: await concludeSession(.ended(code), leaving: EndedSession(session, nil))
            }
        if record?.session != nil, failure == nil { return nil }
        return signOutReason == .appleAccessEnded
            ? .appleAccessEnded(cause: failure ?? error) : .sessionEnded(code, cause: failure ?? error)
    }

    /// - Parameter former: what is kept of it, to ask about Apple's word later.
    /// - Returns: why storage does not have it.
    @discardableResult
    func concludeSession(_ reason: SignOutReason, leaving former: EndedSession?) async -> AccountClientError? {
        forgetSession(reason)
        record?.ended = former
        if reason == .appleAccessEnded { environment.appleAccessEnded() }
        do throws(AccountClientError) {
            try await save()
            return nil
        } catch {
            return error
        }
    }

    /// What callers are told while nobody is signed in.
    var nobody: AccountClientError {
        switch signOutReason {
        case .ended(let code): return .sessionEnded(code)
        case .appleAccessEnded: return .appleAccessEnded()
        default: break
        }
        return AccountClientError(.notSignedIn, "nobody is signed in", hint: "Call signIn() first.")
    }
}
