import Synchronization

extension AccountClient {
    /// Keeps an eye on the session for as long as this client lives, whoever follows it. A second call changes nothing.
    package func watch() {
        watching.withLock { watching in
            guard watching == nil else { return }
            watching = Task { [core] in await core.watch() }
        }
    }
}

extension ClientCore {
    private static let retryPause = Duration.seconds(300)
    /// How often a session is looked at that cannot be followed.
    private static let lookPause = Duration.seconds(900)

    /// Lets no end of a session pass unnoticed. Runs until it is cancelled, or the client is gone.
    func watch() async {
        for await state in SessionStates(core: self) where state.account != nil {
            var isOver = false
            while !isOver, !Task.isCancelled {
                do {
                    for try await _ in AccountEvents(core: self, last: nil) {}
                    isOver = true
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
    func hearOfRevocation() async {
        do {
            _ = try await credentialState()
        } catch {
            // Asked again with the next event, or by the app.
        }
    }

    /// - Returns: whether nobody is signed in any more.
    private func look() async -> Bool {
        await rest(Self.lookPause)
        await hearOfRevocation()
        return record?.session == nil
    }

    private func rest(_ pause: Duration) async {
        let part = Double(environment.randomBytes(1).first ?? 0) / 255
        // Cancelled is looked at by whoever called.
        try? await environment.sleep(pause * (0.75 + part / 2))
    }
}
