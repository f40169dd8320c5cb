/// That a person has signed in to their Apple Account in one browser, or is about to. Used only where the emulator asks
/// for passwords at all.
struct AccountSession: Sendable {
    static let lifetime: Int64 = 86_400

    let person: String
    /// Whether the two-factor step is done, too, or the account has none.
    var isComplete: Bool
}
