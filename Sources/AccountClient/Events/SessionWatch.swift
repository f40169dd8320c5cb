import AccountConnection
import TaskSignals

extension AccountClient {
    /// Follows the session for as long as this client lives, whether or not anybody follows the events. A second call
    /// changes nothing.
    package func watch() {
        watching.withLock { watching in
            guard watching == nil else { return }
            watching = Task { [calls] in await calls.watch() }
        }
    }
}

extension AccountCalls {
    private static let retryPause = Duration.seconds(300)
    /// How often a session is looked at that cannot be followed.
    private static let lookPause = Duration.seconds(900)

    /// Lets no end of a session pass unnoticed. Runs until it is cancelled, or the client is gone.
    func watch() async {
        for await state in SessionStates(session: session) where state.account != nil {
            var isOver = false
            while !isOver, !Task.isCancelled {
                do {
                    for try await _ in AccountEvents(calls: self, last: nil) {}
                    // If the same person has signed in again, `SessionStates` gives no state for the new session. So this loop
                    // follows the events of that session, too.
                    isOver = await session.snapshot.session == nil
                } catch let error as AccountClientError where error.code == .notConfigured {
                    isOver = await look()
                } catch let error as AccountClientError where error.code == .notSignedIn {
                    isOver = true
                } catch {
                    await rest(Self.retryPause)
                }
            }
        }
    }

    /// Asks how the person stands now, which tells the process when that has changed.
    func checkForRevocation() async {
        do {
            _ = try await credentialState()
        } catch {
            // Asked again with the next event, or by the app.
        }
    }

    /// - Returns: whether nobody is signed in any more.
    private func look() async -> Bool {
        await rest(Self.lookPause)
        await checkForRevocation()
        return await session.snapshot.session == nil
    }

    private func rest(_ pause: Duration) async {
        // The caller looks whether the task is cancelled.
        try? await environment.sleep(pause.varied(by: environment.randomByte))
    }
}
