import AccountService

/// What a credential proves about when its person used the app.
struct AppleProof {
    /// When Apple issued the identity token.
    var authorizedAt: Timestamp
    /// The last moment of which it is proof: Apple's times are whole seconds, and a code was redeemed when its token
    /// was obtained.
    var until: Timestamp

    /// - Parameter token: what a code has brought, if there was one.
    init(of person: SignInRecord.Person, token: AppleToken?, at moment: Timestamp) {
        authorizedAt = person.authorizedAt ?? moment
        until = max(authorizedAt + .microseconds(999_999), token?.obtainedAt ?? authorizedAt)
    }
}
