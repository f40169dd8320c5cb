/// The number of a session in its client. With it the machine recognizes answers to calls of an earlier session, and drops
/// them.
struct SessionEpoch: Hashable, Sendable {
    private var number = 0

    /// Whether this session is the given one or the next after it.
    func isAtMostOne(after other: SessionEpoch) -> Bool { number - other.number <= 1 }

    mutating func advance() {
        number += 1
    }
}

/// The number of answers about a session's account that the machine has adopted.
///
/// An answer to a call that began before a change may come after the change. So each call has the version from its
/// beginning.
struct AccountVersion: Hashable, Sendable {
    private var number = 0

    /// Whether this version is the next after the given one.
    func isNext(after other: AccountVersion) -> Bool { number - other.number == 1 }

    mutating func advance() {
        number += 1
    }
}

/// Names a caller who waits for the machine's reply.
struct RequestID: Hashable, Sendable {
    var number: Int
}

/// Names an authorization: the person is asked to sign in, or to prove that they are there.
struct AuthorizationID: Hashable, Sendable {
    var number: Int
}
