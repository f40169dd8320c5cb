package import AppleIDTypes
import Crypto

/// A 32-byte hash that the database keeps in place of a secret, an address or a person.
///
/// Two hashes are compared in constant time.
package struct TokenHash: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(of secret: some Sequence<UInt8>) {
        self.bytes = Array(SHA256.hash(data: Array(secret)))
    }

    package init(of secret: String) {
        self.init(of: secret.utf8)
    }

    /// Makes a hash from the bytes that a store gives back.
    /// - Parameter bytes: 32 bytes.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Takes the same time wherever two hashes differ.
    package static func == (left: Self, right: Self) -> Bool {
        left.bytes.isEqualInConstantTime(to: right.bytes)
    }
}

extension Array<UInt8> {
    /// Compares in a time that doesn't depend on where the bytes differ. Two empty arrays are equal.
    func isEqualInConstantTime(to other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices {
            difference |= self[index] ^ other[index]
        }
        return difference == 0
    }
}

extension TokenHash {
    /// Returns the hash of a person at Apple, or at another provider. Transactions lock a person by it, and it finds
    /// the person's entries and notifications, also after the account is deleted. Apple's subjects hold 128 random
    /// bits, so nobody gets from the hash to the person.
    ///
    /// For another provider the team is its issuer. An issuer is a URL, and neither a team of Apple's nor `email` is
    /// one, so the provider's id is not needed to tell people apart. A subject there may be short, such as a number. So
    /// somebody who reads the database can guess the person behind such a hash, also after the account is deleted.
    package static func person(team: TeamID, subject: Subject) -> TokenHash {
        TokenHash(of: team.rawValue + "\n" + subject.rawValue)
    }
}

extension SignInRecord.Person {
    /// The hash of the person; see ``TokenHash/person(team:subject:)``.
    var personHash: TokenHash { TokenHash.person(team: team, subject: subject) }
}

extension Identity {
    /// The hash of the person; see ``TokenHash/person(team:subject:)``.
    var personHash: TokenHash { TokenHash.person(team: team, subject: subject) }
}

extension EmailForm {
    /// The hash of the person; see ``TokenHash/person(team:subject:)``.
    var personHash: TokenHash { TokenHash.person(team: SignInRecord.Person.emailTeam, subject: subject) }
}
