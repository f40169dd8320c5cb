import NIOCore

/// How much of everything the mail server takes.
struct RelayLimits: Sendable {
    /// Bytes of a mail, as announced with `SIZE`.
    var mail = 1 << 20
    /// Bytes of a command, without its ending. RFC 5321 has 512 with the ending, and more for each extension.
    var commandLine = 2_048
    /// Bytes of a line within a mail, without its ending (RFC 5322 §2.1.1).
    var textLine = 998
    /// Of one mail (RFC 5321 §4.5.3.1.8 asks for no fewer).
    var recipients = 100
    /// On one connection.
    var mails = 100
    /// Commands refused on one connection, before it is closed.
    var mistakes = 20
    /// At once.
    var connections = 64
    /// Without a byte from the sender.
    var silence = TimeAmount.seconds(60)
    /// Of a connection, from its first moment.
    var connection = TimeAmount.minutes(10)
}
