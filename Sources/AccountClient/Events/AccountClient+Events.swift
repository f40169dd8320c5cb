extension AccountClient {
    /// What happens to the account from now on, while somebody follows it: sign-ins elsewhere, sessions that end, what
    /// the person changes at Apple.
    ///
    /// ```swift
    /// for try await event in client.events() where event.kind == .signedIn {
    ///     show("Somebody has signed in on another device.")
    /// }
    /// ```
    ///
    /// It reconnects when the way to the account service breaks, with growing pauses, and misses nothing meanwhile. It
    /// ends with the session, whose end comes first: also with one that Apple's word has ended before, of which the
    /// last events are told.
    ///
    /// Each loop has a stream of its own, and an account has five at once in a server; one that is refused waits for
    /// its turn. Throws `notSignedIn`; `cancelled`; `storage`; `invalidResponse` for what is no account service;
    /// `notConfigured` where the transport has no streams.
    /// - Parameter id: of the last event that the app has seen; nil begins with what is to come. Events are kept for
    ///   thirty days.
    public func events(after id: AccountEvent.ID? = nil) -> AccountEvents {
        AccountEvents(core: core, last: id)
    }
}
