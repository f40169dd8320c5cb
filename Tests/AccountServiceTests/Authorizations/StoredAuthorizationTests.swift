import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Authorizations of apps", .eachDatabase)
struct StoredAuthorizationTests {
    @Test("An authorization is found with all its fields by its id and by its device code")
    func comesBackWhole() async throws {
        let store = try await Engine.current.store()
        let redirect = StoredAuthorization.sample()
        let bare = StoredAuthorization.sample(nonce: nil)
        let device = StoredAuthorization.Device.sample()
        let waiting = StoredAuthorization.sample(device: device)
        for authorization in [redirect, bare, waiting] {
            #expect(try await store.insertAuthorization(authorization))
            #expect(try await store.authorization(authorization.id) == authorization)
        }
        #expect(try await store.authorization(deviceCode: device.deviceCodeHash) == waiting)
        #expect(try await store.authorization(deviceCode: device.userCodeHash) == nil)
        #expect(try await store.authorization(.sample()) == nil)
    }

    @Test("Two devices never have the same user code")
    func distinctUserCodes() async throws {
        let store = try await Engine.current.store()
        let code = TokenHash.sample()
        let first = StoredAuthorization.sample(device: .sample(userCode: code))
        let second = StoredAuthorization.sample(device: .sample(userCode: code))
        #expect(try await store.insertAuthorization(first))
        #expect(try await store.insertAuthorization(second) == false)
        #expect(try await store.authorization(second.id) == nil)
    }

    @Test("An attempt has its authorization, with or without a nonce")
    func attempt() async throws {
        let store = try await Engine.current.store()
        for nonce in ["none", nil] {
            var attempt = Attempt.sample()
            attempt.purpose = .authorization
            attempt.sessionID = nil
            attempt.nonce = nonce
            attempt.authorizationID = .sample()
            try await store.insertAttempt(attempt)
            #expect(try await store.takeAttempt(attempt.stateHash) == attempt)
        }
    }

    @Test("The result of a person's consent is kept once, with the browser")
    func consentKeptOnce() async throws {
        let store = try await Engine.current.store()
        for withToken in [true, false] {
            let finished = try await store.finishedAuthorization(withToken: withToken)
            #expect(try await store.authorization(finished.id) == finished)
            let again = try await store.finishAuthorization(
                finished.id, with: .sample(), browserHash: .sample(), at: .start + .minutes(3))
            #expect(again == false)
            #expect(try await store.authorization(finished.id) == finished)
        }
    }

    @Test("Nothing is kept for an authorization that has expired or ended")
    func nothingKeptAfterTheEnd() async throws {
        let store = try await Engine.current.store()
        let (expired, failed) = (StoredAuthorization.sample(), StoredAuthorization.sample())
        _ = try await store.insertAuthorization(expired)
        _ = try await store.insertAuthorization(failed)
        #expect(try await store.failAuthorization(failed.id, .withdrawn, browserHash: nil, at: .start))
        for (id, moment) in [(expired.id, expired.expiresAt), (failed.id, Timestamp.start + .minutes(1))] {
            let isKept = try await store.finishAuthorization(
                id, with: .sample(), browserHash: .sample(), at: moment)
            #expect(isKept == false)
        }
        let unknown = try await store.finishAuthorization(
            .sample(), with: .sample(), browserHash: .sample(), at: .start)
        #expect(unknown == false)
    }

    @Test("A failure ends an authorization and is recorded once")
    func failure() async throws {
        let store = try await Engine.current.store()
        var authorization = StoredAuthorization.sample()
        _ = try await store.insertAuthorization(authorization)
        let browser = TokenHash.sample()
        #expect(try await store.failAuthorization(authorization.id, .cancelled, browserHash: browser, at: .start))
        #expect(
            try await store.failAuthorization(authorization.id, .denied, browserHash: nil, at: .start) == false)
        authorization.end = .failed(.cancelled)
        authorization.endedAt = .start
        authorization.browserHash = browser
        #expect(try await store.authorization(authorization.id) == authorization)
    }

    @Test("A network can have a limited number of unfinished authorizations, until they expire")
    func networkLimit() async throws {
        let store = try await Engine.current.store()
        let limit = AuthorizationLimit(network: CountedNetwork(of: "192.0.2.1"), limit: 3)
        func insert(at moment: Timestamp = .start) async throws -> AuthorizationLimit.Outcome {
            try await store.insertAuthorization(.sample(at: moment), within: limit)
        }
        let first = StoredAuthorization.sample()
        #expect(try await store.insertAuthorization(first, within: limit) == .inserted)
        // A cancelled authorization still counts. Otherwise there would be no limit.
        #expect(try await store.withdrawAuthorization(first.id, at: .start))
        let second = StoredAuthorization.sample(at: .start + .seconds(1))
        #expect(try await store.insertAuthorization(second, within: limit) == .inserted)
        #expect(try await insert(at: .start + .seconds(2)) == .inserted)
        #expect(try await insert(at: .start + .seconds(3)) == .tooMany(until: first.expiresAt))
        let other = AuthorizationLimit(network: CountedNetwork(of: "192.0.2.2"), limit: 3)
        #expect(try await store.insertAuthorization(.sample(), within: other) == .inserted)
        // An authorization that was finished at Apple no longer counts, and neither does an expired one.
        #expect(
            try await store.finishAuthorization(
                second.id, with: .sample(), browserHash: .sample(), at: .start + .seconds(4)))
        #expect(try await insert(at: .start + .seconds(5)) == .inserted)
        #expect(try await insert(at: first.expiresAt - .seconds(1)) == .tooMany(until: first.expiresAt))
        #expect(try await insert(at: first.expiresAt) == .inserted)
    }

    @Test("If the app gives up before it redeems, the result of the authorization is removed")
    func givenUp() async throws {
        let store = try await Engine.current.store()
        var finished = try await store.finishedAuthorization()
        let handle = try await store.handle(for: finished)
        let moment = Timestamp.start + .minutes(2) + .seconds(1)
        #expect(try await store.withdrawAuthorization(finished.id, at: moment))
        finished.end = .failed(.withdrawn)
        finished.endedAt = moment
        #expect(try await store.authorization(finished.id) == finished)
        #expect(try await store.redeemAuthorization(.sample(.handle(handle), of: finished)) == .unknown)
        #expect(try await store.withdrawAuthorization(finished.id, at: moment) == false)

        let (redeemed, code) = try await store.redeemedAuthorization()
        #expect(try await store.withdrawAuthorization(redeemed.id, at: moment) == false)
        #expect(try await store.authorization(ownCode: code) == redeemed)
        let failed = StoredAuthorization.sample()
        _ = try await store.insertAuthorization(failed)
        _ = try await store.failAuthorization(failed.id, .cancelled, browserHash: nil, at: .start)
        #expect(try await store.withdrawAuthorization(failed.id, at: .start) == false)
        #expect(try await store.authorization(failed.id)?.end == .failed(.cancelled))
    }

    @Test("After a browser has allowed a device, no other browser can")
    func deviceOfOneBrowser() async throws {
        let store = try await Engine.current.store()
        let device = StoredAuthorization.sample(device: .sample())
        _ = try await store.insertAuthorization(device)
        var (mine, again, other) = (Attempt.sample(), Attempt.sample(), Attempt.sample())
        again.browserHash = mine.browserHash
        mine.authorizationID = device.id
        #expect(try await store.allowAuthorization(device.id, by: mine, at: .start))
        #expect(try await store.allowAuthorization(device.id, by: other, at: .start) == false)
        #expect(try await store.allowAuthorization(device.id, by: again, at: .start))
        #expect(try await store.takeAttempt(mine.stateHash) == mine)
        #expect(try await store.takeAttempt(other.stateHash) == nil)
        other.browserHash = mine.browserHash
        #expect(try await store.allowAuthorization(device.id, by: other, at: device.expiresAt) == false)

        let redirect = StoredAuthorization.sample()
        _ = try await store.insertAuthorization(redirect)
        #expect(try await store.allowAuthorization(redirect.id, by: other, at: .start) == false)
    }

    @Test("A sweep removes expired authorizations and counts, and no others")
    func sweep() async throws {
        let store = try await Engine.current.store()
        let (over, kept) = (StoredAuthorization.sample(), StoredAuthorization.sample(at: .start + .seconds(1)))
        _ = try await store.insertAuthorization(over)
        _ = try await store.insertAuthorization(kept)
        #expect(try await store.tryUserCode(.sample(perAddress: 1)) == .wrong)
        #expect(try await store.tryUserCode(.sample(window: .start + .minutes(15), perAddress: 1)) == .wrong)
        func sweep(limit: Int) async throws -> Int {
            try await store.sweep(at: .start + .minutes(20), sessionsBefore: .start, limit: limit)
        }
        // The sweep removes one authorization and the two counts of the older window.
        #expect(try await [sweep(limit: 1), sweep(limit: 1), sweep(limit: 1)] == [2, 1, 0])
        #expect(try await store.authorization(over.id) == nil)
        #expect(try await store.authorization(kept.id) == kept)
        #expect(try await store.tryUserCode(.sample(window: .start + .minutes(15), perAddress: 1)) == .refused)
    }
}

@Suite("Typed user codes", .eachDatabase)
struct UserCodeTrialTests {
    @Test("A user code finds its device, even after the authorization has ended")
    func findsDevice() async throws {
        let store = try await Engine.current.store()
        let code = TokenHash.sample()
        var device = StoredAuthorization.sample(device: .sample(userCode: code))
        _ = try await store.insertAuthorization(device)
        #expect(try await store.tryUserCode(.sample(code)) == .found(device))
        _ = try await store.failAuthorization(device.id, .denied, browserHash: nil, at: .start)
        device.end = .failed(.denied)
        device.endedAt = .start
        #expect(try await store.tryUserCode(.sample(code)) == .found(device))
    }

    @Test("Wrong user codes count for their address and in total, within a time window")
    func wrongCodes() async throws {
        let store = try await Engine.current.store()
        let code = TokenHash.sample()
        let device = StoredAuthorization.sample(device: .sample(userCode: code))
        _ = try await store.insertAuthorization(device)
        for _ in 0..<3 {
            #expect(try await store.tryUserCode(.sample()) == .wrong)
            // The right one counts for nothing.
            #expect(try await store.tryUserCode(.sample(code, from: "192.0.2.2")) == .found(device))
        }
        #expect(try await store.tryUserCode(.sample(code)) == .refused)
        for _ in 0..<2 {
            #expect(try await store.tryUserCode(.sample(from: "192.0.2.2")) == .wrong)
        }
        #expect(try await store.tryUserCode(.sample(code, from: "192.0.2.3")) == .refused)
        let later = UserCodeTrial.sample(code, window: .start + .minutes(10))
        #expect(try await store.tryUserCode(later) == .found(device))
    }

    @Test("Wrong codes are counted by kind")
    func kindsOfWrongCodes() async throws {
        let store = try await Engine.current.store()
        let codes = WrongCodeLimit.sample(of: .authorizationCodes, from: "192.0.2.1", limit: 2)
        for _ in 0..<2 {
            #expect(try await store.mayTryCode(codes))
            try await store.countWrongCode(codes)
        }
        #expect(try await store.mayTryCode(codes) == false)
        for other in [
            WrongCodeLimit.sample(from: "192.0.2.1", limit: 1),
            .sample(of: .authorizationCodes, from: "192.0.2.2", limit: 1),
            .sample(of: .authorizationCodes, from: nil, limit: 1),
            .sample(of: .authorizationCodes, from: "192.0.2.1", window: .start + .minutes(10), limit: 1),
        ] {
            #expect(try await store.mayTryCode(other))
        }
    }
}
