public import struct AccountAPI.ErrorCode

/// Why nobody is signed in.
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
    /// ``AccountClient/deleteAccount(asking:)`` was called.
    case accountDeleted
    /// Storage could not be read, so nobody knows; ``AccountClient/existingAccount()`` says why, and tries again.
    case storageUnreadable
}
