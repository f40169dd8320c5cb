public import AppleIDTypes

/// A test asked for a team that the emulator's portal does not have.
public struct NoSuchTeam: Error, Equatable {
    /// Nil: the portal has no team at all.
    public let team: TeamID?
}
