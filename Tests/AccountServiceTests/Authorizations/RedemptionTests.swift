import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Redemptions of authorizations", .eachDatabase)
struct RedemptionTests {
    @Test("A handle is redeemed once, and gives the whole result")
    func handleOnce() async throws {
        let store = try await Engine.current.store()
        var authorization = try await store.finishedAuthorization()
        let handle = try await store.handle(for: authorization)
        let redemption = AuthorizationRedemption.sample(.handle(handle), of: authorization)
        authorization.redeemedAt = redemption.at
        authorization.codeExpiresAt = redemption.codeExpiresAt
        #expect(try await store.redeemAuthorization(redemption) == .redeemed(authorization))
        #expect(try await store.redeemAuthorization(redemption) == .unknown)
        #expect(try await store.authorization(ownCode: redemption.codeHash) == authorization)
    }

    @Test("A code of the service expires no later than its identity token")
    func codeExpiry() async throws {
        let store = try await Engine.current.store()
        let authorization = try await store.finishedAuthorization(freshUntil: .start + .minutes(4))
        let redemption = AuthorizationRedemption.sample(
            .handle(try await store.handle(for: authorization)), of: authorization)
        guard case .redeemed(let redeemed) = try await store.redeemAuthorization(redemption) else {
            Issue.record("a finished authorization was not redeemed")
            return
        }
        #expect(redeemed.codeExpiresAt == .start + .minutes(4))
        #expect(try await store.authorization(ownCode: redemption.codeHash) == redeemed)
    }

    @Test("A wrong or a late verifier uses up the handle, and a new handle may follow")
    func wrongVerifier() async throws {
        let store = try await Engine.current.store()
        let authorization = try await store.finishedAuthorization()
        let wrong = AuthorizationRedemption.sample(
            .handle(try await store.handle(for: authorization)), of: authorization, challenge: .sample())
        #expect(try await store.redeemAuthorization(wrong) == .used)
        #expect(try await store.redeemAuthorization(wrong) == .unknown)
        let late = AuthorizationRedemption.sample(
            .handle(try await store.handle(for: authorization)), of: authorization, at: .start + .minutes(3))
        #expect(try await store.redeemAuthorization(late) == .expired)
        #expect(try await store.redeemAuthorization(late) == .unknown)
        _ = try await store.handle(for: authorization)
    }

    @Test("A new handle replaces the earlier one, and after a redemption there is no new handle")
    func freshHandle() async throws {
        let store = try await Engine.current.store()
        let authorization = try await store.finishedAuthorization()
        let lost = try await store.handle(for: authorization)
        let fresh = try await store.handle(for: authorization)
        #expect(try await store.redeemAuthorization(.sample(.handle(lost), of: authorization)) == .unknown)
        _ = try await store.redeemAuthorization(.sample(.handle(fresh), of: authorization))
        let given = try await store.giveHandle(
            .sample(), expiresAt: .start + .minutes(5), to: authorization.id, endedAfter: .start)
        #expect(given == false)
    }

    @Test("No handle is given for an unfinished, failed or long finished authorization, or for a device")
    func noHandle() async throws {
        let store = try await Engine.current.store()
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
    }

    @Test("A device that polls is told to wait until there is an answer, and to slow down if it polls too often")
    func devicePolls() async throws {
        let store = try await Engine.current.store()
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
    }

    @Test("A device gets its answer once, or the reason why there is none")
    func deviceAnswer() async throws {
        let store = try await Engine.current.store()
        let device = StoredAuthorization.Device.sample()
        let finished = try await store.finishedAuthorization(device: device)
        let redemption = AuthorizationRedemption.sample(.deviceCode(device.deviceCodeHash), of: finished)
        guard case .redeemed(let redeemed) = try await store.redeemAuthorization(redemption) else {
            Issue.record("a finished authorization was not redeemed")
            return
        }
        #expect(redeemed.end == finished.end)
        #expect(try await store.redeemAuthorization(redemption) == .used)

        let other = StoredAuthorization.Device.sample()
        let denied = StoredAuthorization.sample(device: other)
        _ = try await store.insertAuthorization(denied)
        _ = try await store.failAuthorization(denied.id, .denied, browserHash: nil, at: .start)
        let question = AuthorizationRedemption.sample(.deviceCode(other.deviceCodeHash), of: denied)
        #expect(try await store.redeemAuthorization(question) == .failed(.denied))
    }

    @Test("A wrong verifier ends a device's authorization and removes its result")
    func deviceWithWrongVerifier() async throws {
        let store = try await Engine.current.store()
        let device = StoredAuthorization.Device.sample()
        let open = StoredAuthorization.sample(device: device)
        _ = try await store.insertAuthorization(open)
        let other = StoredAuthorization.Device.sample()
        let finished = try await store.finishedAuthorization(device: other)
        for (authorization, code) in [(open, device.deviceCodeHash), (finished, other.deviceCodeHash)] {
            let wrong = AuthorizationRedemption.sample(
                .deviceCode(code), of: authorization, challenge: .sample())
            #expect(try await store.redeemAuthorization(wrong) == .used)
            let right = AuthorizationRedemption.sample(.deviceCode(code), of: authorization)
            #expect(try await store.redeemAuthorization(right) == .used)
        }
        #expect(try await store.authorization(open.id)?.end == .failed(.withdrawn))
        guard case .finished(let left) = try await store.authorization(finished.id)?.end else {
            Issue.record("the end has changed")
            return
        }
        #expect(left.sealedResult.isEmpty && left.appleToken == nil)
    }

    @Test("A sign-in with a code of the service uses the code up and takes over Apple's token")
    func signInWithCodeOfOurs() async throws {
        let store = try await Engine.current.store()
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
    }

    @Test("A code of the service is refused if it was used, is too old, or belongs to another person")
    func refusedCodeOfOurs() async throws {
        let store = try await Engine.current.store()
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
            #expect(error?.used == .code)
            #expect(try await store.session(record.session.id) == nil)
            #expect(try await store.firstUsed(among: record.used, at: record.at) == nil)
        }
    }

    @Test("A session records whether a nonce proved its sign-in")
    func nonceProof() async throws {
        let store = try await Engine.current.store()
        for hasNonceProof in [true, false] {
            var record = SignInRecord.sample()
            record.session.hasNonceProof = hasNonceProof
            #expect(try await store.signIn(record).session.hasNonceProof == hasNonceProof)
            #expect(try await store.session(record.session.id)?.session.hasNonceProof == hasNonceProof)
        }
    }
}

@Suite("Authorizations, many at once", .eachDatabase)
struct AuthorizationRaceTests {
    @Test("If fifty requests redeem one handle, one succeeds")
    func handleRedeemedByFifty() async throws {
        let store = try await Engine.current.store()
        let authorization = try await store.finishedAuthorization()
        let handle = try await store.handle(for: authorization)
        let outcomes = try await atOnce(50) { _ in
            try await store.redeemAuthorization(.sample(.handle(handle), of: authorization))
        }
        #expect(outcomes.count(where: \.isRedeemed) == 1)
        #expect(outcomes.count { $0 == .unknown } == 49)
    }

    @Test("If fifty requests redeem one device code, one succeeds")
    func deviceCodeRedeemedByFifty() async throws {
        let store = try await Engine.current.store()
        let device = StoredAuthorization.Device.sample()
        let authorization = try await store.finishedAuthorization(device: device)
        let outcomes = try await atOnce(50) { _ in
            try await store.redeemAuthorization(.sample(.deviceCode(device.deviceCodeHash), of: authorization))
        }
        #expect(outcomes.count(where: \.isRedeemed) == 1)
        #expect(outcomes.count { $0 == .used } == 49)
    }

    @Test("If a handle is replaced while it is redeemed, at most one redemption succeeds and no handle is left")
    func handleReplacedMeanwhile() async throws {
        let store = try await Engine.current.store()
        for _ in 0..<20 {
            let authorization = try await store.finishedAuthorization()
            let old = try await store.handle(for: authorization)
            let new = TokenHash.sample()
            async let redeemed = store.redeemAuthorization(.sample(.handle(old), of: authorization))
            async let given = store.giveHandle(
                new, expiresAt: .start + .minutes(3), to: authorization.id, endedAfter: .start)
            let (outcome, isGiven) = try await (redeemed, given)
            let second = try await store.redeemAuthorization(.sample(.handle(new), of: authorization))
            // Either the old handle was first, and no new one came of it; or it was replaced.
            #expect(outcome.isRedeemed != second.isRedeemed)
            #expect(second.isRedeemed == isGiven)
        }
    }

    @Test("If fifty sign-ins use one code of the service, one succeeds")
    func codeOfOursUsedByFifty() async throws {
        let store = try await Engine.current.store()
        let (authorization, code) = try await store.redeemedAuthorization()
        let successes = try await atOnce(50) { _ in
            do {
                _ = try await store.signIn(.sample(with: code, of: authorization))
                return true
            } catch let error as AccountError where error.code == .alreadyUsed {
                return false
            }
        }
        #expect(successes.count { $0 } == 1)
    }

    @Test("If fifty browsers allow one device, one gets it")
    func deviceAllowedByFifty() async throws {
        let store = try await Engine.current.store()
        let device = StoredAuthorization.sample(device: .sample())
        _ = try await store.insertAuthorization(device)
        let allowed = try await atOnce(50) { _ in
            try await store.allowAuthorization(device.id, by: .sample(), at: .start)
        }
        #expect(allowed.count { $0 } == 1)
    }

    @Test("If an authorization is cancelled while it is finished, every reader sees the same one of the two ends")
    func withdrawnMeanwhile() async throws {
        let store = try await Engine.current.store()
        for _ in 0..<20 {
            let authorization = StoredAuthorization.sample()
            _ = try await store.insertAuthorization(authorization)
            async let finished = store.finishAuthorization(
                authorization.id, with: .sample(), browserHash: .sample(), at: .start)
            async let withdrawn = store.failAuthorization(
                authorization.id, .withdrawn, browserHash: nil, at: .start)
            let (isFinished, isWithdrawn) = try await (finished, withdrawn)
            #expect(isFinished != isWithdrawn)
            #expect((try await store.authorization(authorization.id)?.end == .failed(.withdrawn)) == isWithdrawn)
        }
    }

    @Test("Fifty wrong user codes at once count fifty times")
    func fiftyWrongUserCodes() async throws {
        let store = try await Engine.current.store()
        let outcomes = try await atOnce(50) { _ in
            try await store.tryUserCode(.sample(perAddress: 50, overall: 100))
        }
        #expect(outcomes.allSatisfy { $0 == .wrong })
        #expect(try await store.tryUserCode(.sample(perAddress: 50, overall: 100)) == .refused)
    }
}

extension AccountTransactions {
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
        var record = SignInRecord.sample(at: moment, used: [.sample(expiresAt: moment + .minutes(11))])
        record.appleToken = appleToken
        record.ownCode = SignInRecord.UsedOwnCode(authorization: authorization.id, hash: code)
        return record
    }
}

extension AuthorizationRedemption.Outcome {
    fileprivate var isRedeemed: Bool {
        if case .redeemed = self { true } else { false }
    }
}
