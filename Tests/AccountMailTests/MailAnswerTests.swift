import AccountService
import Testing

@testable import AccountMail

/// The replies are those that Apple's relay has been seen to send, and the ones that the emulator's relay sends where
/// Apple's aren't known.
@Suite("Replies of Apple's relay")
struct MailAnswerTests {
    private static func answer(
        _ code: Int, _ text: String, at step: SMTPDialogue.Step = .recipient, isRelay: Bool = true
    ) -> MailAnswer {
        MailAnswer(of: .refused(step, SMTPServerReply(code: code, lines: [text])), isRelayAddress: isRelay)
    }

    @Test(
        "A sender that isn't registered is refused, with a failure for the operator",
        arguments: [SMTPDialogue.Step.recipient, .text])
    func sender(step: SMTPDialogue.Step) {
        #expect(
            Self.answer(550, "5.1.1 unauthorized sender", at: step) == .refused(failure: "relay_unauthorized_sender"))
        #expect(
            Self.answer(
                550, "5.1.1 <x@privaterelay.appleid.com>: Unauthorized Sender (in reply to end of DATA)", at: step)
                == .refused(failure: "relay_unauthorized_sender"))
    }

    @Test("A mailbox that doesn't accept mail now holds its mails")
    func forwardingOff() {
        #expect(Self.answer(550, "5.1.1 bad mailbox name") == .held(failure: "relay_forwarding_off"))
        #expect(
            Self.answer(550, "5.2.1 mailbox disabled, not accepting messages")
                == .held(failure: "relay_forwarding_off"))
    }

    @Test("A mailbox that has reached its daily limit holds further mails", arguments: [450, 452, 552])
    func dailyLimit(code: Int) {
        #expect(
            Self.answer(code, "\(code / 100).2.1 this address has had its 100 mails of the day")
                == .held(failure: "relay_daily_limit"))
        #expect(Self.answer(code, "\(code / 100).2.2 mailbox full") == .held(failure: "relay_daily_limit"))
        #expect(Self.answer(code, "daily limit exceeded") == .held(failure: "relay_daily_limit"))
    }

    @Test("A transformation error is tried again")
    func transformation() {
        #expect(
            Self.answer(550, "5.7.1 transformation error") == .postponed(failure: "relay_transformation_error"))
    }

    @Test("Any other reply is judged by its code")
    func others() {
        #expect(Self.answer(550, "5.1.1 no such user") == .refused(failure: "smtp_550_5.1.1"))
        #expect(Self.answer(451, "4.7.1 greylisted") == .postponed(failure: "smtp_451_4.7.1"))
        #expect(Self.answer(552, "5.3.4 too large") == .refused(failure: "smtp_552_5.3.4"))
    }

    @Test("An address that isn't the relay's is judged by the code alone")
    func noRelay() {
        #expect(Self.answer(550, "5.1.1 bad mailbox name", isRelay: false) == .refused(failure: "smtp_550_5.1.1"))
        #expect(Self.answer(550, "5.1.1 unauthorized sender", isRelay: false) == .refused(failure: "smtp_550_5.1.1"))
        #expect(Self.answer(552, "5.2.2 mailbox full", isRelay: false) == .refused(failure: "smtp_552_5.2.2"))
        #expect(Self.answer(450, "4.2.1 full today", isRelay: false) == .postponed(failure: "smtp_450_4.2.1"))
    }

    @Test("Before the mail, a refusal of the relay's is about the connection, and postpones the mail")
    func connection() {
        #expect(Self.answer(550, "5.1.1 unauthorized sender", at: .greeting) == .postponed(failure: "smtp_550_5.1.1"))
    }

    @Test(
        "Every failure has a fixed word, and parks the mail only if nothing but the mail is to blame",
        arguments: MailFailure.allCases)
    func failures(failure: MailFailure) {
        let answer = MailAnswer(of: .failed(failure), isRelayAddress: false)
        #expect(
            failure.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F || (0x30...0x39).contains($0) })
        #expect(
            answer
                == ([.addressNeedsUTF8, .addressInvalid, .templateFailed].contains(failure)
                    ? .refused(failure: failure.rawValue) : .postponed(failure: failure.rawValue)))
    }
}
