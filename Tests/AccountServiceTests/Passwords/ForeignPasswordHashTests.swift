import Foundation
import Testing

@testable import AccountService

@Suite("Password hashes of other services")
struct ForeignPasswordHashTests {
    static let password = Password("violet otter lantern 97")
    /// Made by libcrypt 4.4.36 with cost 4.
    static let bcrypt = "$2b$04$abcdefghijklmnopqrstuurHHPeWGIXlI40NKHjWUAiKmVXyOcFzW"
    /// A beginning of more than 72 bytes, and the hash by libcrypt of it with any end.
    static let longPassword = String(repeating: "seven quiet harbours ", count: 4)
    static let longBcrypt = "$2b$04$abcdefghijklmnopqrstuu6oIJ8cQhbw.Qe11gH3yD9Xds.//IF12"
    /// The sample in the README of github.com/firebase/scrypt, for `user1password`.
    static let firebaseSample = """
        $fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,\
        sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==\
        $42xEC+ixf3L2lw==\
        $lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==
        """

    @Test("right and wrong passwords are checked with bcrypt and Firebase's scrypt")
    func check() async throws {
        let hasher = PasswordHasher.forTests()
        let bcrypt = try StoredPasswordHash(text: Self.bcrypt)
        #expect(try await hasher.check(Self.password, bcrypt))
        #expect(try await !hasher.check(Password("violet otter lantern 98"), bcrypt))
        #expect(try await !hasher.check(Password(Self.password.text + "\0x"), bcrypt))
        let firebase = try StoredPasswordHash(text: Self.firebaseSample)
        #expect(try await hasher.check(Password("user1password"), firebase))
        #expect(try await !hasher.check(Password("user2password"), firebase))
        #expect(bcrypt.needsRehash(for: hasher.cost) && firebase.needsRehash(for: hasher.cost))
    }

    @Test("the letters of bcrypt's variants make no difference", arguments: ["2a", "2b", "2y"])
    func variants(letters: String) async throws {
        let hash = try StoredPasswordHash(text: Self.bcrypt.replacing("2b", with: letters))
        #expect(try await PasswordHasher.forTests().check(Self.password, hash))
    }

    @Test("a wrong password takes as much work as today's cost")
    func rest() async throws {
        let cost = PasswordCost(roundsExponent: 13, blockSize: 8, parallelism: 3)
        let hasher = PasswordHasher.forTests(cost: cost)
        _ = try await hasher.hash(Password("to know how long one takes"))
        let (computed, work) = (hasher.computed, hasher.work)
        #expect(try await !hasher.check(Password("wrong"), StoredPasswordHash(text: Self.bcrypt)))
        // bcrypt with cost 4 takes less than a third of it, so that nearly all is left.
        #expect(hasher.computed == computed + 2)
        #expect(hasher.work - work > cost.work / 2 && hasher.work - work <= cost.work)
        #expect(try await hasher.check(Self.password, StoredPasswordHash(text: Self.bcrypt)))
        #expect(hasher.computed == computed + 3)
    }

    @Test("the stored text is unchanged, and no description shows it")
    func text() throws {
        for text in [Self.bcrypt, Self.firebaseSample] {
            #expect(ForeignPasswordHash(text: text)?.text == text)
            let hash = try #require(ForeignPasswordHash(text: text))
            #expect(!"\(hash)".contains(text) && !"\(hash)".contains("jxspr8"))
        }
    }

    @Test(
        "other hashes can't be checked",
        arguments: [
            "", "$2b$04$short", "$2b$15$abcdefghijklmnopqrstuurHHPeWGIXlI40NKHjWUAiKmVXyOcFzW",
            "$2x$04$abcdefghijklmnopqrstuurHHPeWGIXlI40NKHjWUAiKmVXyOcFzW",
            "$2b$04$abcdefghijklmnopqrstuurHHPeWGIXlI40NKHjWUAiKmVXyOcF:W",
            "$argon2id$v=19$m=65536,t=3,p=2$c2FsdA$aGFzaA",
            "$fbscrypt$v=2,n=14,r=8,p=1,ss=Bw==,sk=AAAA$AAAA$AAAA",
            "$fbscrypt$v=1,n=30,r=8,p=1,ss=Bw==,sk=AAAA$AAAA$AAAA",
            "$fbscrypt$v=1,n=16,r=1,p=1,ss=Bw==,sk=AAAA$AAAA$AAAA",
            "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=AAAA$AAAA$AAAAAAAA", "$6$salt$hash",
        ])
    func others(text: String) {
        #expect(ForeignPasswordHash(text: text) == nil)
    }
}
