import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let redemption: [Self] = [
        Self("A handle is redeemed once, and gives the whole result") { store async throws in
            var authorization = try await store.finishedAuthorization()
            let handle = try await store.handle(for: authorization)
            let redemption = AuthorizationRedemption.sample(.handle(handle), of: authorization)
            authorization.redeemedAt = redemption.at
            authorization.codeExpiresAt = redemption.codeExpiresAt
            #expect(try await store.redeemAuthorization(redemption) == .redeemed(authorization))
            #expect(try await store.redeemAuthorization(redemption) == .unknown)
            #expect(try await store.authorization(ownCode: redemption.codeHash) == authorization)
        },
        Self("A code of ours does not outlive what its token is good for") { store async throws in
            let authorization = try await store.finishedAuthorization(freshUntil: .start + .minutes(4))
            let redemption = AuthorizationRedemption.sample(
                .handle(try await store.handle(for: authorization)), of: authorization)
            guard case .redeemed(let redeemed) = try await store.redeemAuthorization(redemption) else {
                Issue.record("a finished authorization was not redeemed")
                return
            }
            #expect(redeemed.codeExpiresAt == .start + .minutes(4))
            #expect(try await store.authorization(ownCode: redemption.codeHash) == redeemed)
        },
        Self("A wrong verifier or a late one spends a handle; another may follow") { store async throws in
            let authorization = try await store.finishedAuthorization()
            let wrong = AuthorizationRedemption.sample(
                .handle(try await store.handle(for: authorization)), of: authorization, challenge: .sample())
            #expect(try await store.redeemAuthorization(wrong) == .spent)
            #expect(try await store.redeemAuthorization(wrong) == .unknown)
            let late = AuthorizationRedemption.sample(
                .handle(try await store.handle(for: authorization)), of: authorization, at: .start + .minutes(3))
            #expect(try await store.redeemAuthorization(late) == .expired)
            #expect(try await store.redeemAuthorization(late) == .unknown)
            _ = try await store.handle(for: authorization)
        },
        Self("A fresh handle ends the earlier one, and none follows a redemption") { store async throws in
            let authorization = try await store.finishedAuthorization()
            let lost = try await store.handle(for: authorization)
            let fresh = try await store.handle(for: authorization)
            #expect(try await store.redeemAuthorization(.sample(.handle(lost), of: authorization)) == .unknown)
            _ = try await store.redeemAuthorization(.sample(.handle(fresh), of: authorization))
            let given = try await store.giveHandle(
                .sample(), expiresAt: .start + .minutes(5), to: authorization.id, endedAfter: .start)
            #expect(given == false)
        },
        Self("No handle is given before the end, long after it, after a failure, or for a device") {
            store async throws in
            let open = StoredAuthorization.sample()
            let failed = StoredAuthorization.sample()
            _ = try await store.insertAuthorization(open)
            _ = try await store.insertAuthorization(failed)
            _ = try await store.failAuthorization(failed.id, .cancelled, browserHash: nil, at: .start + .minutes(2))
            let device = try await store.finishedAuthorization(device: .sample())
            let old = try await store.finishedAuthorization()
            for (id, endedAfter) in [
                (open.id, Timestamp.start), (failed.id, .start), (device.id, .start), (old.id, .start + .minutes(2)),
            ] {
                let given = try await store.giveHandle(
                    .sample(), expiresAt: .start + .days(1), to: id, endedAfter: endedAfter)
                #expect(given == false)
            }
        },
        Self("A device asks until there is an answer, and not too often") { store async throws in
            let device = StoredAuthorization.Device.sample()
            let authorization = StoredAuthorization.sample(device: device)
            _ = try await store.insertAuthorization(authorization)
            func poll(_ seconds: Int64) async throws -> AuthorizationRedemption.Outcome {
                try await store.redeemAuthorization(
                    .sample(.deviceCode(device.deviceCodeHash), of: authorization, at: .start + .seconds(seconds)))
            }
            #expect(try await poll(0) == .pending)
            #expect(try await poll(5) == .pending)
            #expect(try await poll(9) == .tooSoon)
            #expect(try await poll(18) == .tooSoon)
            #expect(try await poll(33) == .pending)
            #expect(try await poll(600) == .expired)
            let unknown = AuthorizationRedemption.sample(.deviceCode(.sample()), of: authorization)
            #expect(try await store.redeemAuthorization(unknown) == .unknown)
        },
        Self("A device gets its answer once, or why there is none") { store async throws in
            let device = StoredAuthorization.Device.sample()
            let finished = try await store.finishedAuthorization(device: device)
            let redemption = AuthorizationRedemption.sample(.deviceCode(device.deviceCodeHash), of: finished)
            guard case .redeemed(let redeemed) = try await store.redeemAuthorization(redemption) else {
                Issue.record("a finished authorization was not redeemed")
                return
            }
            #expect(redeemed.end == finished.end)
            #expect(try await store.redeemAuthorization(redemption) == .spent)

            let other = StoredAuthorization.Device.sample()
            let denied = StoredAuthorization.sample(device: other)
            _ = try await store.insertAuthorization(denied)
            _ = try await store.failAuthorization(denied.id, .denied, browserHash: nil, at: .start)
            let question = AuthorizationRedemption.sample(.deviceCode(other.deviceCodeHash), of: denied)
            #expect(try await store.redeemAuthorization(question) == .failed(.denied))
        },
        Self("A wrong verifier ends a device's authorization, and what it held is gone") { store async throws in
            let device = StoredAuthorization.Device.sample()
            let open = StoredAuthorization.sample(device: device)
            _ = try await store.insertAuthorization(open)
            let other = StoredAuthorization.Device.sample()
            let finished = try await store.finishedAuthorization(device: other)
            for (authorization, code) in [(open, device.deviceCodeHash), (finished, other.deviceCodeHash)] {
                let wrong = AuthorizationRedemption.sample(
                    .deviceCode(code), of: authorization, challenge: .sample())
                #expect(try await store.redeemAuthorization(wrong) == .spent)
                let right = AuthorizationRedemption.sample(.deviceCode(code), of: authorization)
                #expect(try await store.redeemAuthorization(right) == .spent)
            }
            #expect(try await store.authorization(open.id)?.end == .failed(.withdrawn))
            guard case .finished(let left) = try await store.authorization(finished.id)?.end else {
                Issue.record("the end has changed")
                return
            }
            #expect(left.sealedResult.isEmpty && left.appleToken == nil)
        },
        Self("A sign-in with a code of ours uses it up and takes Apple's token over") { store async throws in
            let (authorization, code) = try await store.redeemedAuthorization()
            let record = SignInRecord.sample(with: code, of: authorization)
            let outcome = try await store.signIn(record)
            #expect(try await store.appleTokens(of: outcome.session.identityID) == [record.appleToken])
            #expect(try await store.authorization(ownCode: code) == nil)
            guard case .finished(let left) = try await store.authorization(authorization.id)?.end else {
                Issue.record("the end has changed")
                return
            }
            #expect(left.sealedResult.isEmpty && left.appleToken == nil)
        },
        Self("A code of ours that was used, is too old or another's signs nobody in") { store async throws in
            let (authorization, code) = try await store.redeemedAuthorization()
            let (_, other) = try await store.redeemedAuthorization()
            var records = [
                SignInRecord.sample(with: other, of: authorization),
                SignInRecord.sample(at: .start + .minutes(7), with: code, of: authorization),
            ]
            _ = try await store.signIn(
                .sample(at: .start + .minutes(7) - .microseconds(1), with: code, of: authorization))
            records.append(.sample(with: code, of: authorization))
            for record in records {
                let error = await expectError(.alreadyUsed) { _ = try await store.signIn(record) }
                #expect(error?.spent == .code)
                #expect(try await store.session(record.session.id) == nil)
                #expect(try await store.firstUsed(among: record.spent, at: record.at) == nil)
            }
        },
        Self("A session keeps whether a nonce proved it") { store async throws in
            for hasNonceProof in [true, false] {
                var record = SignInRecord.sample()
                record.session.hasNonceProof = hasNonceProof
                #expect(try await store.signIn(record).session.hasNonceProof == hasNonceProof)
                #expect(try await store.session(record.session.id)?.session.hasNonceProof == hasNonceProof)
            }
        },
    ]
}

extension AccountStore {
    /// An authorization that its app has redeemed, with the hash of the code it got.
    func redeemedAuthorization() async throws -> (StoredAuthorization, code: TokenHash) {
        let authorization = try await finishedAuthorization()
        let redemption = AuthorizationRedemption.sample(
            .handle(try await handle(for: authorization)), of: authorization)
        guard case .redeemed(let redeemed) = try await redeemAuthorization(redemption) else {
            throw AccountError(.unavailable, "the sample could not be redeemed")
        }
        return (redeemed, redemption.codeHash)
    }
}

extension SignInRecord {
    /// A sign-in that presents a code of ours.
    static func sample(
        at moment: Timestamp = .start + .minutes(3), with code: TokenHash, of authorization: StoredAuthorization
    ) -> SignInRecord {
        var appleToken: AppleToken?
        if case .finished(let finish) = authorization.end {
            appleToken = finish.appleToken
        }
        var record = SignInRecord.sample(at: moment, spent: [.sample(expiresAt: moment + .minutes(11))])
        record.appleToken = appleToken
        record.ownCode = SignInRecord.OwnCode(authorization: authorization.id, hash: code)
        return record
    }
}
