import AccountService
import AppleIDTypes

/// In which order transactions lock, everywhere. Whoever needs several of these goes down the list and never up, so
/// that no two wait for each other:
///
/// 1. people (``SQLConnection/lock(person:)``), where a transaction decides about somebody who may have no row yet, or
///    whose rows are found by the person and not by the account: sign-in, reauthentication, revocation, deletion by
///    whomever, Apple's notifications, and what a late code brought;
/// 2. what is used up: notes of spent things in the order in which they are given, then a code of ours;
/// 3. a notification's own row, and the name kept for a person;
/// 4. accounts, by raising their revision. Whoever has one may change its identities and Apple's tokens for them from
///    then on; the daily check, which changes tokens without it, waits for nothing when it has one;
/// 5. entries of the outbox, then the deletions that wait for them;
/// 6. sessions, and what is only ever appended: events, audit.
///
/// A transaction that needs one row needs no place in it. Two may still meet crosswise where each locks several rows of
/// one table, as servers do that take entries of the outbox, or where two browsers change to each other's account at
/// once and each sign-in ends the other's former session, for which it raises that account last: PostgreSQL ends one of
/// the two, and it runs again. SQLite has one writer, whose transactions stand one after the other before their first
/// statement: nothing here costs it anything.
extension SQLConnection {
    /// Holds off every other transaction about this person until this one is over. Before anything else is locked.
    ///
    /// An account's row can only be locked once it is there. This can be held before: a notification and the first
    /// sign-in of the person that it is about would otherwise each not see what the other has not yet committed.
    func lock(person: TokenHash) throws {
        try lock(person.bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) })
    }

    /// The same for several people, in an order that does not depend on who asks.
    func lock(people: [TokenHash]) throws {
        for person in people.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) { try lock(person: person) }
    }
}
