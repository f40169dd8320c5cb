import AppleIDTypes
import StrictJSON

extension Authority {
    func snapshot() -> Snapshot { Snapshot(current, at: environment.seconds) }

    /// Takes a snapshot for the whole truth, or refuses it and changes nothing. The addresses stay those of this run;
    /// notifications, faults, open sheets and the request log are those of nobody any more.
    func load(_ bytes: [UInt8]) async throws {
        let snapshot: Snapshot
        do {
            let limits = JSONLimits(maximumBytes: SavedState.maximumBytes)
            snapshot = try StrictJSONDecoder(limits: limits).decode(Snapshot.self, from: bytes)
        } catch {
            throw Refusal(.invalidRequest, "The body is not a snapshot of an emulator.")
        }
        guard snapshot.version == Snapshot.currentVersion, snapshot.state.version == SavedState.currentVersion else {
            throw Refusal(.invalidRequest, "The snapshot is of another version.")
        }
        guard snapshot.hasGoodTimes else {
            throw Refusal(.invalidRequest, "A time of the snapshot is beyond all years.")
        }
        let loaded = try state(of: snapshot)
        try step { state in
            var loaded = loaded
            loaded.revision = state.revision + 1
            state = loaded
        }
        outbox.advance { $0 = NotificationQueue() }
        faults.clear()
        requests.clear()
        try await keep()
    }

    private func state(of snapshot: Snapshot) throws(Refusal) -> EmulatorState {
        do {
            let keys = try snapshot.state.signingKeys.map { try SigningKey(id: $0.id, pem: $0.privateKey) }
            guard (1...EmulatorState.maximumKeys).contains(keys.count), Set(keys.map(\.id)).count == keys.count else {
                throw Refusal(.invalidRequest, "The snapshot has no signing key, or too many.")
            }
            var portal = snapshot.state.portal
            portal.baseURL = self.portal.baseURL
            portal.issuer = self.portal.issuer
            let registry = try registry(of: portal)
            var state = try EmulatorState(registry: registry, saved: snapshot.state)
            state.signingKeys = keys
            state.quirks = try Set(
                snapshot.quirks.filter { !EmulatorConfiguration.Quirk.formerNames.contains($0) }.map { name in
                    guard let quirk = EmulatorConfiguration.Quirk(name) else {
                        throw Refusal(.invalidRequest, "The snapshot has a quirk that is none.")
                    }
                    return quirk
                })
            for code in snapshot.codes { state.codes.insert(code.issued, for: code.code, at: code.issued.issuedAt) }
            for token in snapshot.accessTokens {
                state.accessTokens.insert(token.issued, for: token.token, at: token.issuedAt)
            }
            // What speaks of people or clients that the snapshot's own portal does not have goes.
            state.change(to: registry)
            return state
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as EmulatorError {
            throw Refusal(error)
        } catch {
            throw Refusal(.invalidRequest, "A key of the snapshot cannot be read.")
        }
    }

    /// By the rules that hold for a portal's file, and with the same words for what is wrong with it.
    private func registry(of portal: Portal) throws(Refusal) -> Registry {
        do throws(EmulatorError) {
            let registry = try Registry(portal)
            try PortalRules(isStrict: configuration.strictURLs).check(portal)
            return registry
        } catch {
            throw Refusal(error, under: "state.portal.")
        }
    }
}
