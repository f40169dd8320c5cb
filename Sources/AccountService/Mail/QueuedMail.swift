import AppleIDTypes

/// A mail on its way into the queue, sealed.
package struct QueuedMail: Sendable, Redacted {
    package let id: MailID
    package let kind: Mail.Kind
    let account: AccountID?
    let recipientHash: TokenHash
    let isRelay: Bool
    /// The identity whose relay address the recipient is; nil for any other address, and for a mail about a deletion.
    let identity: IdentityID?
    /// Whether Apple has said that it forwards no mail to the recipient. Then the mail begins as held.
    let isForwardingOff: Bool
    let sealed: [UInt8]
    let createdAt: Timestamp
    /// The deletion that must be over before the mail is sent.
    var deletion: TokenHash?
}
