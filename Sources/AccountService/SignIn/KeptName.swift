public import AppleIDTypes

/// A name that Apple gave once, with the address that came beside it, kept sealed until the sign-in it came with, or a
/// later one, succeeds.
public struct KeptName: Hashable, Sendable {
    public var team: TeamID
    public var subject: Subject
    public var sealed: [UInt8]
    public var expiresAt: Timestamp

    public init(team: TeamID, subject: Subject, sealed: [UInt8], expiresAt: Timestamp) {
        self.team = team
        self.subject = subject
        self.sealed = sealed
        self.expiresAt = expiresAt
    }
}
