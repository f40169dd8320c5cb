public import AppleIDTypes

/// The daily check of one client has been stopped, because far more of its tokens died than people leave: something is
/// wrong with the client at Apple, or with this service. Nobody's session ends until an operator lets it go on.
public struct CheckStop: Hashable, Sendable {
    public var clientID: ClientID
    public var at: Timestamp
    /// Checks of the hour before.
    public var checked: Int64
    /// How many of those found a dead token.
    public var died: Int64

    public init(clientID: ClientID, at: Timestamp, checked: Int64, died: Int64) {
        self.clientID = clientID
        self.at = at
        self.checked = checked
        self.died = died
    }
}
