public import AppleIDTypes

/// Who a person is at the team that received an app. Printing or mirroring it shows neither subject nor address.
public struct TransferredPerson: Hashable, Sendable, Redacted {
    /// Theirs from now on. Their identity tokens carry it too.
    public let subject: Subject
    /// Their new relay address; absent for who had none with the app, whose address stays what it was.
    public let email: String?
    /// False unless Apple says so.
    public let isPrivateEmail: Bool
}
