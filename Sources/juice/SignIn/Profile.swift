/// What the result screen shows of an account.
struct Profile: Hashable, Sendable {
    /// Apple's identifier of the person, the same at every sign-in.
    var userIdentifier: String
    var givenName: String?
    var familyName: String?
    var email: String?
    /// Whether the address is Apple's relay for somebody who hides their own.
    var isPrivateEmail = false
    /// Whether the account service has said so since Juice was started; else it is what it said last time.
    var isConfirmed = true
    /// nil while it is not known.
    var appleState: AppleState?
}
