public import struct AccountAPI.ErrorCode

/// Whether somebody is signed in on this device.
public enum SessionState: Hashable, Sendable {
    /// Nobody is signed in, for this reason.
    case signedOut(SignOutReason)
    /// This account is signed in. ``Account/isConfirmed`` tells whether the account service has said so in this
    /// process.
    case signedIn(Account)

    /// The account that is signed in.
    public var account: Account? {
        if case .signedIn(let account) = self { account } else { nil }
    }
}

/// Why nobody is signed in.
@nonexhaustive
public enum SignOutReason: Hashable, Sendable {
    /// Storage holds no session: a first launch, or one after a sign-out.
    case noSession
    /// ``AccountClient/signOut()`` was called, in this process or in another one with the same storage.
    case signedOut
    /// The account service has ended the session.
    case ended(ErrorCode)
    /// The account service has ended the session because the person stopped using the app with their Apple Account, or
    /// that is gone. A new sign-in grants access again.
    case appleAccessEnded
    /// The account was merged into another one of the person's, on another device. A new sign-in opens the account with
    /// this id. Move the data to it that the app keeps for the former account.
    case accountMerged(into: String)
    /// ``AccountClient/deleteAccount(promptingIfNeeded:presentationAnchor:)`` was called.
    case accountDeleted
    /// Storage could not be read. ``AccountClient/existingAccount()`` reads it again, and throws the reason.
    case storageUnreadable
}

/// The states of an ``AccountClient``, the present one first, then each that follows.
///
/// The sequence buffers only the latest state, so a slow consumer misses the states between. It doesn't keep the client
/// alive, and ends when the client is released.
public struct SessionStates: AsyncSequence, Sendable {
    /// A state of the client.
    public typealias Element = SessionState
    /// The sequence never throws.
    public typealias Failure = Never

    let session: SessionRunner

    /// Begins to follow the states.
    public func makeAsyncIterator() -> Iterator {
        Iterator(session: session)
    }

    /// Follows the states for one loop.
    public struct Iterator: AsyncIteratorProtocol {
        let session: SessionRunner
        private var seen = 0

        init(session: SessionRunner) {
            self.session = session
        }

        /// Waits for a state that this loop has not seen; nil when the client is gone.
        public mutating func next() async -> SessionState? {
            await next(isolation: #isolation)
        }

        /// Waits for a state that this loop has not seen; nil when the client is gone.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SessionState? {
            if seen == 0 { _ = await session.state() }
            guard let (state, version) = await session.states.next(after: seen) else { return nil }
            seen = version
            return state
        }
    }
}
