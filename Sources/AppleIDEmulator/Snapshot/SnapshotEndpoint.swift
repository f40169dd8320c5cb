import AppleIDTypes
import HTTPTypes
import Hummingbird
import StrictJSON

/// `/emulator/snapshot`: returns the whole state, and restores it.
struct SnapshotEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func save(_ request: Request, _ context: EmulatorContext) throws -> Response {
        var response = Response.json(text: String(decoding: try core.snapshot().encoded(), as: UTF8.self))
        response.headers[.cacheControl] = "no-store"
        return response
    }

    @Sendable func load(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await core.load(request.boundedBody(upTo: SavedState.maximumBytes))
        return Response(status: .noContent)
    }
}

/// `POST /emulator/reset`: forgets what people did, between one test and the next.
struct ResetEndpoint: Sendable {
    let core: EmulatorCore

    /// Portal, keys, quirks and clock stay, because they have calls of their own, and clients may have stored them.
    /// Faults and the request log are cleared for the next test.
    @Sendable func reset(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try core.step { $0.reset() }
        core.outbox.changeSilently { $0 = NotificationQueue() }
        core.faults.clear()
        core.requests.clear()
        try await core.saveState()
        return .uncachedJSON(.object([]))
    }
}

extension EmulatorCore {
    func snapshot() -> Snapshot { Snapshot(current, at: environment.seconds) }

    /// Replaces the whole state with a snapshot, or refuses it and changes nothing. The addresses stay those of this
    /// run, and so does whether mail for others is taken. Notifications, faults, open sheets and the request log are cleared.
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
            loaded.relay.takesMailForOthers = state.relay.takesMailForOthers
            state = loaded
        }
        outbox.changeSilently { $0 = NotificationQueue() }
        faults.clear()
        requests.clear()
        try await saveState()
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
            state.behaviour = try snapshot.behaviour ?? Behaviour(quirks: snapshot.quirks)
            for code in snapshot.codes {
                state.authorizations.codes.insert(code.issued, for: code.code, at: code.issued.issuedAt)
            }
            for token in snapshot.accessTokens {
                state.tokens.accessTokens.insert(token.issued, for: token.token, at: token.issuedAt)
            }
            // Removes all that is about people or clients that the snapshot's own portal does not have.
            state.replacePortal(with: registry)
            return state
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as EmulatorError {
            throw Refusal(error)
        } catch is Behaviour.UnknownQuirk {
            throw Refusal(.invalidRequest, "The snapshot has a quirk that is none.")
        } catch {
            throw Refusal(.invalidRequest, "A key of the snapshot cannot be read.")
        }
    }

    /// Checks a portal by the rules of a portal's file. The refusal has the words of that file's errors.
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
