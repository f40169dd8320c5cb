/// What the requests of a silent look ask for.
package struct ExistingCredentialRequests: Hashable, Sendable {
    /// nil when only a password was asked for.
    package var appleID: AppleIDRequestValues?
    package var includesPassword: Bool

    package init(appleID: AppleIDRequestValues?, includesPassword: Bool) {
        self.appleID = appleID
        self.includesPassword = includesPassword
    }
}
