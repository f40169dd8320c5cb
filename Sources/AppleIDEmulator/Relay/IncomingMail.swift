/// A mail as it came in: envelope and content. Nothing is decided yet.
struct IncomingMail: Hashable, Sendable {
    /// Nil: `<>`, as reports of failed deliveries have it.
    let sender: MailAddress?
    let recipients: [MailAddress]
    /// Header and body, lines ending with CR LF, without the dots that the transport adds.
    let content: [UInt8]
}
