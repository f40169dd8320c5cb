import AccountEngines
import AccountService
import AppleIDTypes

extension StoredAuthorization {
    /// An authorization whose person hasn't been at Apple yet.
    static func sample(
        at moment: Timestamp = .start, device: Device? = nil, nonce: String? = "a nonce"
    ) -> StoredAuthorization {
        StoredAuthorization(
            id: .sample(at: moment), app: "juice", redirectURI: device == nil ? "http://127.0.0.1:49152/back" : nil,
            device: device, challenge: .sample(), clientID: "com.example.juice.web", scopes: [.email, .name],
            nonce: nonce, sealedState: nonce == nil ? nil : [1, 2, 0xFF], address: "2001:db8::1", createdAt: moment,
            expiresAt: moment + .minutes(10), keptUntil: moment + .minutes(20))
    }
}

extension StoredAuthorization.Device {
    static func sample(userCode: TokenHash = .sample()) -> Self {
        Self(deviceCodeHash: .sample(), userCodeHash: userCode, interval: .seconds(5))
    }
}

extension AuthorizationFinish {
    /// - Parameter withToken: false for an app that redeems Apple's code itself.
    static func sample(
        withToken: Bool = true, freshUntil: Timestamp = .start + .minutes(11)
    ) -> AuthorizationFinish {
        AuthorizationFinish(
            sealedResult: [7, 0, 8], tokenHash: .sample(), freshUntil: freshUntil,
            appleToken: withToken
                ? AppleToken(
                    id: .sample(), clientID: "com.example.juice.web", sealed: [4, 5], obtainedAt: .start + .minutes(1))
                : nil)
    }
}

extension AuthorizationRedemption {
    /// A redemption by the app that made the challenge.
    static func sample(
        _ key: Key, of authorization: StoredAuthorization, challenge: TokenHash? = nil,
        at moment: Timestamp = .start + .minutes(2)
    ) -> AuthorizationRedemption {
        AuthorizationRedemption(
            key: key, challenge: challenge ?? authorization.challenge, codeHash: .sample(),
            codeExpiresAt: moment + .minutes(5), slowDown: .seconds(5), at: moment)
    }
}

extension UserCodeTrial {
    static func sample(
        _ code: TokenHash = .sample(), from address: String = "192.0.2.1", window: Timestamp = .start,
        perAddress: Int64 = 3, overall: Int64 = 5
    ) -> UserCodeTrial {
        UserCodeTrial(
            codeHashes: [.sample(), code],
            limits: [
                .sample(from: nil, window: window, limit: overall),
                .sample(from: address, window: window, limit: perAddress),
            ])
    }
}

extension WrongCodeLimit {
    static func sample(
        of kind: Kind = .userCodes, from address: String?, window: Timestamp = .start, limit: Int64
    ) -> WrongCodeLimit {
        WrongCodeLimit(
            of: kind, from: address.map { CountedNetwork(of: $0) }, limit: limit, window: window,
            windowEnd: window + .minutes(10))
    }
}

extension AccountTransactions {
    /// Inserts an authorization under a limit that no test reaches.
    func insertAuthorization(_ authorization: StoredAuthorization) async throws -> Bool {
        let limit = AuthorizationLimit(network: CountedNetwork(of: authorization.address), limit: 1_000)
        return try await insertAuthorization(authorization, within: limit) == .inserted
    }

    /// An authorization that a browser has finished two minutes after the start.
    func finishedAuthorization(
        device: StoredAuthorization.Device? = nil, withToken: Bool = true,
        freshUntil: Timestamp = .start + .minutes(11)
    ) async throws -> StoredAuthorization {
        var authorization = StoredAuthorization.sample(device: device)
        let finish = AuthorizationFinish.sample(withToken: withToken, freshUntil: freshUntil)
        let (browser, moment) = (TokenHash.sample(), Timestamp.start + .minutes(2))
        guard try await insertAuthorization(authorization),
            try await finishAuthorization(authorization.id, with: finish, browserHash: browser, at: moment)
        else { throw AccountError(.unavailable, "the sample could not be written") }
        authorization.end = .finished(finish)
        authorization.endedAt = moment
        authorization.browserHash = browser
        return authorization
    }

    /// A handle for it that lives a minute.
    func handle(for authorization: StoredAuthorization) async throws -> TokenHash {
        let hash = TokenHash.sample()
        guard
            try await giveHandle(
                hash, expiresAt: .start + .minutes(3), to: authorization.id, endedAfter: .start)
        else { throw AccountError(.unavailable, "no handle was given") }
        return hash
    }
}
