import AppleIDTypes

/// A mail that a person has got. What is in it is read when somebody looks.
struct Mail: Hashable, Sendable {
    let id: String
    let person: String
    /// Whose relay address it came by; nil: by an address of the person's own.
    let team: TeamID?
    /// Of the envelope; nil: `<>`.
    let sender: MailAddress?
    /// Of the envelope.
    let recipient: MailAddress
    /// Seconds since 1970.
    let receivedAt: Int64
    /// Header and body as they came.
    let content: [UInt8]
}
