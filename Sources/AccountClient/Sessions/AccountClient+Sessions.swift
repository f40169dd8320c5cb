extension AccountClient {
    /// Where the person is signed in, newest first: this device, others, and browsers.
    ///
    /// Throws as ``accessToken()`` does, and `invalidResponse`.
    public func sessions() async throws -> [AccountSession] {
        try await core.sessions()
    }

    /// Ends one of the person's sessions, at once. One that has ended meanwhile is what was wanted. With this device's
    /// own the person is signed out here too.
    ///
    /// Throws as ``accessToken()`` does.
    public func endSession(_ session: AccountSession) async throws {
        try await core.endSession(session)
    }

    /// Ends all of the person's sessions but this one: for somebody who has lost a device.
    ///
    /// Throws as ``accessToken()`` does.
    public func endOtherSessions() async throws {
        try await core.endSessions(exceptThis: true)
    }

    /// Ends all of the person's sessions. They are signed out here too.
    ///
    /// Throws as ``accessToken()`` does.
    public func endAllSessions() async throws {
        try await core.endSessions(exceptThis: false)
    }
}
