import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let authorizationRaces: [Self] = [
        Self("Of fifty who redeem one handle, one does") { store async throws in
            let authorization = try await store.finishedAuthorization()
            let handle = try await store.handle(for: authorization)
            let outcomes = try await atOnce(50) { _ in
                try await store.redeemAuthorization(.sample(.handle(handle), of: authorization))
            }
            #expect(outcomes.count(where: \.isRedeemed) == 1)
            #expect(outcomes.count { $0 == .unknown } == 49)
        },
        Self("Of fifty who redeem one device code, one does") { store async throws in
            let device = StoredAuthorization.Device.sample()
            let authorization = try await store.finishedAuthorization(device: device)
            let outcomes = try await atOnce(50) { _ in
                try await store.redeemAuthorization(.sample(.deviceCode(device.deviceCodeHash), of: authorization))
            }
            #expect(outcomes.count(where: \.isRedeemed) == 1)
            #expect(outcomes.count { $0 == .spent } == 49)
        },
        Self("A handle that is replaced while it is redeemed leaves one redemption at most, and none behind it") {
            store async throws in
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
        },
        Self("Of fifty sign-ins with one code of ours, one succeeds") { store async throws in
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
        },
        Self("Of fifty browsers that allow one device, one has it") { store async throws in
            let device = StoredAuthorization.sample(device: .sample())
            _ = try await store.insertAuthorization(device)
            let allowed = try await atOnce(50) { _ in
                try await store.allowAuthorization(device.id, by: .sample(), at: .start)
            }
            #expect(allowed.count { $0 } == 1)
        },
        Self("An authorization that is withdrawn while it is finished is one of both, for all") { store async throws in
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
        },
        Self("Fifty wrong user codes at once count fifty times") { store async throws in
            let outcomes = try await atOnce(50) { _ in
                try await store.tryUserCode(.sample(perAddress: 50, overall: 100))
            }
            #expect(outcomes.allSatisfy { $0 == .wrong })
            #expect(try await store.tryUserCode(.sample(perAddress: 50, overall: 100)) == .refused)
        },
    ]
}

extension AuthorizationRedemption.Outcome {
    fileprivate var isRedeemed: Bool {
        if case .redeemed = self { true } else { false }
    }
}
