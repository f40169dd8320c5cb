import Foundation
import Testing

@testable import AccountService

@Suite("The documentation of guessing")
struct DocumentedGuessingTests {
    private func page() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "Docs/password-operations.md"), encoding: .utf8)
            .replacing("\n", with: " ")
    }

    @Test("has the numbers of the code: free tries, waits, the end of a password, and how long counts stay")
    func numbers() throws {
        let page = try page()
        let words: [Int64: String] = [5: "five", 6: "sixth", 100: "a hundred"]
        let free = PasswordFailureRules.free
        #expect(page.contains("| up to \(try #require(words[free])) | nothing |"))
        #expect(page.contains("| from the \(try #require(words[free + 1])) on |"))
        #expect(page.contains("\(PasswordFailureRules.firstWait.components.seconds) second, then twice as long"))
        #expect(page.contains("at most \(PasswordFailureRules.maximumWait.components.seconds / 60) minutes"))
        #expect(page.contains("| \(try #require(words[PasswordFailureRules.maximumForAccount])) for one account |"))
        let days = PasswordFailureRules.accountRetention.components.seconds / 86_400
        #expect(page.contains("is forgotten \(days) days after its last failure."))
        #expect(page.contains("That of a network goes down by half at each full hour"))
        #expect(page.contains("One wrong password in a quarter of an hour makes them wait two seconds"))
    }

    @Test("has the limits of mails with links, which protect the person from being locked out")
    func mails() throws {
        let words: [Int64: String] = [5: "five", 30: "thirty"]
        let (few, all) = (
            try #require(words[MailRules.linksPerDay]), try #require(words[MailRules.linksPerDayOfAccount])
        )
        let page = try page()
        #expect(page.contains("| \(few) a day, all together; `no_account` one a day."))
        #expect(page.contains("| \(few) a day for each network that asks, and \(all) for all of them."))
        #expect(MailRules.linkInterval == .minutes(30))
        #expect(page.contains("a link is still sent if the address got none for half an hour"))
        let more = Int(MailRules.day / MailRules.linkInterval)
        #expect(page.contains("at most [\(all) mails a day and \(more) more](#mail-of-passwords)"))
    }

    @Test("has the cost of a hash and the length of the queue")
    func cost() throws {
        let page = try page()
        #expect(PasswordSettings().cost == PasswordCost(roundsExponent: 15, blockSize: 8, parallelism: 3))
        #expect(page.contains("scrypt (N=2¹⁵, r=8, p=3)"))
        #expect(page.contains("A hash takes 32 MiB of memory") && page.contains("16 more passwords can wait"))
    }
}
