import AppleIDTypes

/// A mail on its way into the queue, sealed.
package struct QueuedMail: Sendable, Redacted {
    package let id: MailID
    package let kind: Mail.Kind
    let account: AccountID?
    let recipientHash: TokenHash
    let isRelay: Bool
    /// False where Apple has said that it doesn't forward mail to the recipient: then the mail begins as held.
    let isForwarded: Bool
    let sealed: [UInt8]
    let createdAt: Timestamp
    /// The deletion that must be over before the mail is sent.
    var deletion: TokenHash?
}
