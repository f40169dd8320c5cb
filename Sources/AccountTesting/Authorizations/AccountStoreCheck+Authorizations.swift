import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let authorizations: [Self] = [
        Self("An authorization comes back whole, by its id and its device code") { store async throws in
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
        },
        Self("Two devices never have the same user code") { store async throws in
            let code = TokenHash.sample()
            let first = StoredAuthorization.sample(device: .sample(userCode: code))
            let second = StoredAuthorization.sample(device: .sample(userCode: code))
            #expect(try await store.insertAuthorization(first))
            #expect(try await store.insertAuthorization(second) == false)
            #expect(try await store.authorization(second.id) == nil)
        },
        Self("An attempt carries its authorization, and a nonce or none") { store async throws in
            for nonce in ["none", nil] {
                var attempt = Attempt.sample()
                attempt.purpose = .authorization
                attempt.sessionID = nil
                attempt.nonce = nonce
                attempt.authorizationID = .sample()
                try await store.insertAttempt(attempt)
                #expect(try await store.takeAttempt(attempt.stateHash) == attempt)
            }
        },
        Self("What a person's consent brought is kept once, with the browser") { store async throws in
            for withToken in [true, false] {
                let finished = try await store.finishedAuthorization(withToken: withToken)
                #expect(try await store.authorization(finished.id) == finished)
                let again = try await store.finishAuthorization(
                    finished.id, with: .sample(), browserHash: .sample(), at: .start + .minutes(3))
                #expect(again == false)
                #expect(try await store.authorization(finished.id) == finished)
            }
        },
        Self("Nothing is kept for an authorization that has expired or ended") { store async throws in
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
        },
        Self("A failure is the end, noted once") { store async throws in
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
        },
        Self("A network has so many authorizations that nobody has finished, until they expire") {
            store async throws in
            let limit = AuthorizationLimit(network: CountedNetwork(of: "192.0.2.1"), limit: 3)
            func insert(at moment: Timestamp = .start) async throws -> AuthorizationLimit.Outcome {
                try await store.insertAuthorization(.sample(at: moment), within: limit)
            }
            let first = StoredAuthorization.sample()
            #expect(try await store.insertAuthorization(first, within: limit) == .inserted)
            // One that its app gave up counts on: else there would be no bound.
            #expect(try await store.withdrawAuthorization(first.id, at: .start))
            let second = StoredAuthorization.sample(at: .start + .seconds(1))
            #expect(try await store.insertAuthorization(second, within: limit) == .inserted)
            #expect(try await insert(at: .start + .seconds(2)) == .inserted)
            #expect(try await insert(at: .start + .seconds(3)) == .tooMany(until: first.expiresAt))
            let other = AuthorizationLimit(network: CountedNetwork(of: "192.0.2.2"), limit: 3)
            #expect(try await store.insertAuthorization(.sample(), within: other) == .inserted)
            // One that a person finished at Apple makes room, and so does time.
            #expect(
                try await store.finishAuthorization(
                    second.id, with: .sample(), browserHash: .sample(), at: .start + .seconds(4)))
            #expect(try await insert(at: .start + .seconds(5)) == .inserted)
            #expect(try await insert(at: first.expiresAt - .seconds(1)) == .tooMany(until: first.expiresAt))
            #expect(try await insert(at: first.expiresAt) == .inserted)
        },
        Self("What a finish brought is gone when its app gives up before it redeems") { store async throws in
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
        },
        Self("A device is one browser's once it was allowed there") { store async throws in
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
        },
        Self("A sweep takes authorizations and counts whose time is over, and no others") { store async throws in
            let (over, kept) = (StoredAuthorization.sample(), StoredAuthorization.sample(at: .start + .seconds(1)))
            _ = try await store.insertAuthorization(over)
            _ = try await store.insertAuthorization(kept)
            #expect(try await store.tryUserCode(.sample(perAddress: 1)) == .wrong)
            #expect(try await store.tryUserCode(.sample(window: .start + .minutes(15), perAddress: 1)) == .wrong)
            func sweep(limit: Int) async throws -> Int {
                try await store.sweep(at: .start + .minutes(20), sessionsBefore: .start, limit: limit)
            }
            // One authorization, and the older window's two counts.
            #expect(try await [sweep(limit: 1), sweep(limit: 1), sweep(limit: 1)] == [2, 1, 0])
            #expect(try await store.authorization(over.id) == nil)
            #expect(try await store.authorization(kept.id) == kept)
            #expect(try await store.tryUserCode(.sample(window: .start + .minutes(15), perAddress: 1)) == .refused)
        },
    ]

    static let userCodes: [Self] = [
        Self("A user code finds its device, whatever became of it") { store async throws in
            let code = TokenHash.sample()
            var device = StoredAuthorization.sample(device: .sample(userCode: code))
            _ = try await store.insertAuthorization(device)
            #expect(try await store.tryUserCode(.sample(code)) == .found(device))
            _ = try await store.failAuthorization(device.id, .denied, browserHash: nil, at: .start)
            device.end = .failed(.denied)
            device.endedAt = .start
            #expect(try await store.tryUserCode(.sample(code)) == .found(device))
        },
        Self("Wrong user codes count for their address and for all, in their window") { store async throws in
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
        },
        Self("Wrong codes count for their kind") { store async throws in
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
        },
    ]
}
