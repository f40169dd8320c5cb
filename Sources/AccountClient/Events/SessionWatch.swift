import AccountConnection
import TaskSignals

extension AccountClient {
    /// Follows the session as long as this client lives, even if the app follows no events. A second call does nothing.
    package func watch() {
        watching.withLock { watching in
            guard watching == nil else { return }
            watching = Task { [calls] in await calls.watch() }
        }
    }
}

extension AccountCalls {
    private static let retryPause = Duration.seconds(300)
    /// The interval between checks if the transport has no event streams.
    private static let checkInterval = Duration.seconds(900)

    /// Follows each session until it ends. Runs until it is cancelled, or the client is gone.
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
                    isOver = await checkSession()
                } catch let error as AccountClientError where error.code == .notSignedIn {
                    isOver = true
                } catch {
                    await pause(Self.retryPause)
                }
            }
        }
    }

    /// Asks for the state of the person's credential. If it has changed, that notifies the process.
    func checkForRevocation() async {
        do {
            _ = try await credentialState()
        } catch {
            // The next event, or the app, asks again.
        }
    }

    /// Waits, and checks the session.
    /// - Returns: whether the session is over.
    private func checkSession() async -> Bool {
        await pause(Self.checkInterval)
        await checkForRevocation()
        return await session.snapshot.session == nil
    }

    private func pause(_ duration: Duration) async {
        // The caller checks whether the task is cancelled.
        try? await environment.sleep(duration.varied(by: environment.randomByte))
    }
}
