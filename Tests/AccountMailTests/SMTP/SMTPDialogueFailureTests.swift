import AccountService
import Testing

@testable import AccountMail

@Suite("A conversation with a mail server that goes wrong")
struct SMTPDialogueFailureTests {
    /// The replies of a server that takes a mail.
    private static let replies = ["220 hello", "250 hello", "250 OK", "250 OK", "354 go on", "250 queued"]
    private static let steps: [SMTPDialogue.Step] = [.greeting, .hello, .sender, .recipient, .data, .text]

    /// A dialogue that has heard the first replies.
    private static func dialogue(after count: Int) throws -> TestDialogue {
        var test = TestDialogue(try TestMail.mail())
        for reply in replies.prefix(count) { test.hear(reply) }
        #expect(test.outcomes.isEmpty)
        return test
    }

    @Test(
        "A refusal is the outcome at each step, and then the dialogue sends QUIT",
        arguments: 0..<6, [451, 452, 550, 552, 554])
    func refused(step: Int, code: Int) throws {
        var test = try Self.dialogue(after: step)
        #expect(test.hear("\(code)-no", "\(code) and no") == ["QUIT"])
        #expect(
            test.outcomes == [
                .refused(Self.steps[step], SMTPServerReply(code: code, lines: ["no", "and no"]))
            ])
        test.hear("221 bye")
        #expect(test.isClosed)
        #expect(test.outcomes.count == 1)
    }

    @Test("After 421 the dialogue closes without QUIT", arguments: 0..<6)
    func closing(step: Int) throws {
        var test = try Self.dialogue(after: step)
        #expect(test.hear("421 closing") == [])
        #expect(test.isClosed)
        #expect(test.outcomes == [.refused(Self.steps[step], SMTPServerReply(code: 421, lines: ["closing"]))])
    }

    @Test("A lost connection is the outcome at each step, also within the mail", arguments: 0..<6)
    func lost(step: Int) throws {
        var test = try Self.dialogue(after: step)
        test.lose()
        #expect(test.outcomes == [.failed(.connectionLost)])
        test.lose()
        #expect(test.outcomes.count == 1)
    }

    @Test("A timeout is the outcome at each step", arguments: 0..<6)
    func timedOut(step: Int) throws {
        var test = try Self.dialogue(after: step)
        test.timeOut()
        #expect(test.outcomes == [.failed(.timedOut)])
        #expect(test.isClosed)
    }

    @Test("A reply that isn't SMTP, or doesn't fit the command, is the outcome at each step", arguments: 0..<6)
    func wrong(step: Int) throws {
        for wrong in ["hello", "334 what", "299 odd"] where !(step == 5 && wrong == "299 odd") {
            var test = try Self.dialogue(after: step)
            test.hear(wrong)
            #expect(test.outcomes == [.failed(.protocolError)], "\(wrong)")
            #expect(test.isClosed)
        }
    }

    @Test("A server that sends an extra reply is refused", arguments: 0..<5)
    func more(step: Int) throws {
        var test = try Self.dialogue(after: step)
        #expect(test.hear(Self.replies[step], Self.replies[step + 1]) == [])
        #expect(test.outcomes == [.failed(.protocolError)])
        #expect(test.isClosed)
    }

    @Test("A mail that the server has accepted stays delivered, whatever happens then")
    func delivered() throws {
        var more = try Self.dialogue(after: 5)
        more.hear("250 queued", "421 closing")
        #expect(more.outcomes == [.delivered])
        var lost = try Self.dialogue(after: 6 - 1)
        lost.hear("250 queued")
        lost.lose()
        #expect(lost.outcomes == [.delivered])
        #expect(lost.isClosed)
        var slow = try Self.dialogue(after: 5)
        slow.hear("250 queued")
        slow.timeOut()
        #expect(slow.outcomes == [.delivered])
        #expect(slow.isClosed)
        slow.hear("221 bye")
        #expect(slow.outcomes == [.delivered])
    }
}
