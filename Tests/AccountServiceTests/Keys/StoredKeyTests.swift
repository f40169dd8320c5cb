import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Keys in the store", .eachDatabase)
struct StoredKeyTests {
    @Test("A new store has no keys")
    func empty() async throws {
        let store = try await Engine.current.store()
        #expect(try await store.serverKeys().isEmpty)
        #expect(try await store.appleKeySet() == nil)
    }

    @Test("Server keys are inserted where purpose and state are missing, and all are read oldest first")
    func insertMissing() async throws {
        let store = try await Engine.current.store()
        let active = ServerKey.sample(.accessTokens, .active, at: .start + .days(1))
        let next = ServerKey.sample(.accessTokens, .next, at: .start + .days(2))
        #expect(try await store.insertMissingServerKeys([next, active]) == [active, next])

        let refresh = ServerKey.sample(.refreshTokens, .active, at: .start)
        let late = ServerKey.sample(.accessTokens, .active, at: .start + .days(3))
        #expect(try await store.insertMissingServerKeys([late, refresh]) == [refresh, active, next])
        #expect(try await store.insertMissingServerKeys([]) == [refresh, active, next])
        #expect(try await store.serverKeys() == [refresh, active, next])
    }

    @Test("Servers that start at once agree on the keys")
    func serversAtOnce() async throws {
        let store = try await Engine.current.store()
        let answers = try await atOnce(10) { _ in
            try await store.insertMissingServerKeys([
                .sample(.accessTokens, .active), .sample(.accessTokens, .next), .sample(.refreshTokens, .active),
            ])
        }
        let stored = try await store.serverKeys()
        #expect(stored.count == 3)
        #expect(answers.allSatisfy { $0 == stored })
    }

    @Test("Apple's key set is stored unchanged, and the newest one is kept")
    func appleKeySet() async throws {
        let store = try await Engine.current.store()
        let first = KeptKeySet(json: Array(#"{"keys":[]}"#.utf8), fetchedAt: .start)
        let second = KeptKeySet(json: [0, 0xFF], fetchedAt: .start + .hours(1))
        try await store.keepAppleKeySet(first)
        #expect(try await store.appleKeySet() == first)
        try await store.keepAppleKeySet(second)
        try await store.keepAppleKeySet(first)
        #expect(try await store.appleKeySet() == second)
    }
}

@Suite("Rotations of keys and seals in the store", .eachDatabase)
struct StoredKeyRotationTests {
    @Test("A rotation makes the next key active and retires the active one, with its time")
    func rotation() async throws {
        let store = try await Engine.current.store()
        let (active, next) = try await makeKeys(store)
        let rotation = ServerKeyRotation.sample(from: active)
        #expect(try await store.rotateServerKeys(rotation))
        let keys = try await store.serverKeys().filter { $0.purpose == .accessTokens }
        #expect(keys.map(\.id) == [active.id, next.id, rotation.newNext.id])
        #expect(keys.map(\.state) == [.retired, .active, .next])
        #expect(keys.map(\.retiredAt) == [rotation.at, nil, nil])
        let entry = try await store.auditEntries(of: nil, before: nil, limit: 1).first
        #expect(entry?.event == .keysRotated && entry?.subject == next.id.rawValue && entry?.actor == .operator)
    }

    @Test("If many servers rotate one key at once, one of them does")
    func rotatedByMany() async throws {
        let store = try await Engine.current.store()
        let (active, _) = try await makeKeys(store)
        let done = try await atOnce(10) { _ in try await store.rotateServerKeys(.sample(from: active)) }
        #expect(done.count { $0 } == 1)
        #expect(try await store.serverKeys().count == 4)
    }

    @Test("Keys that retired long ago are removed, and no others")
    func removed() async throws {
        let store = try await Engine.current.store()
        let (active, next) = try await makeKeys(store)
        #expect(try await store.rotateServerKeys(.sample(from: active)))
        #expect(try await store.rotateServerKeys(.sample(from: next, at: .start + .days(4))))
        #expect(try await store.removeServerKeys(retiredBefore: .start + .days(2)) == 0)
        #expect(try await store.removeServerKeys(retiredBefore: .start + .days(3)) == 1)
        #expect(try await store.serverKeys().map(\.id).contains(active.id) == false)
        var third = ServerKeyRotation.sample(
            from: try #require(
                await store.serverKeys().first { $0.state == .active && $0.purpose == .accessTokens }),
            at: .start + .days(5))
        third.forgetBefore = .start + .days(5)
        #expect(try await store.rotateServerKeys(third))
        #expect(try await store.serverKeys().count { $0.state == .retired } == 1)
    }

    @Test("Sealed values are read in pages by key, with the data that their seal is bound to")
    func sealedValues() async throws {
        let store = try await Engine.current.store()
        for index in 1...3 {
            let token = AppleToken(
                id: AppleTokenID(rawValue: "atk_\(index)"), clientID: "com.example.juice", sealed: [UInt8(index)],
                obtainedAt: .start)
            _ = try await store.signIn(.sample(.sample(Subject("person.\(index)")), appleToken: token))
            try await store.keepPendingProfile(.sample("Kept", subject: Subject("kept.\(index)")))
        }
        #expect(try await store.sealedCount(in: .appleTokens) == 3)
        let first = try await store.sealedValues(in: .appleTokens, after: nil, limit: 2)
        #expect(first.map(\.key) == [["atk_1"], ["atk_2"]] && first.map(\.sealed) == [[1], [2]])
        #expect(first.allSatisfy { $0.client == "com.example.juice" && $0.row == nil })
        let rest = try await store.sealedValues(in: .appleTokens, after: first.last?.key, limit: 2)
        #expect(rest.map(\.key) == [["atk_3"]])
        let names = try await store.sealedValues(in: .pendingProfiles, after: ["TEAM000001", "kept.1"], limit: 9)
        #expect(names.map(\.key) == [["TEAM000001", "kept.2"], ["TEAM000001", "kept.3"]])
        for column in SealedColumn.allCases {
            let count = try await store.sealedCount(in: column)
            #expect(try await store.sealedValues(in: column, after: nil, limit: 9).count == count)
        }
    }

    @Test("A sealed value is replaced only if it is unchanged since it was read")
    func replaceSealedValue() async throws {
        let store = try await Engine.current.store()
        try await store.keepPendingProfile(.sample("One", subject: "one"))
        try await store.keepPendingProfile(.sample("Two", subject: "two"))
        let values = try await store.sealedValues(in: .pendingProfiles, after: nil, limit: 9)
        try await store.keepPendingProfile(.sample("Two changed", subject: "two"))
        let resealed = values.map { ResealedValue($0, sealed: Array("new".utf8)) }
        #expect(try await store.reseal(resealed, in: .pendingProfiles) == 1)
        let after = try await store.sealedValues(in: .pendingProfiles, after: nil, limit: 9)
        #expect(after.map { String(decoding: $0.sealed, as: UTF8.self) } == ["new", "Two changed"])
    }

    @Test("An entry without a row of its own is appended to the audit")
    func auditOfRotation() async throws {
        let store = try await Engine.current.store()
        let entry = AuditEntry(.keysResealed, at: .start, by: .operator, account: nil, subject: "k2")
        try await store.append(entry)
        #expect(try await store.auditEntries(of: nil, before: nil, limit: 9) == [entry])
    }

    private func makeKeys(_ store: AccountTransactions) async throws -> (active: ServerKey, next: ServerKey) {
        let active = ServerKey.new(.accessTokens, .active, at: .start)
        let next = ServerKey.new(.accessTokens, .next, at: .start + .hours(1))
        _ = try await store.insertMissingServerKeys([active, next, .new(.refreshTokens, .active, at: .start)])
        return (active, next)
    }
}

extension ServerKey {
    fileprivate static func sample(_ purpose: Purpose, _ state: State, at moment: Timestamp = .start) -> ServerKey {
        ServerKey(id: .sample(at: moment), purpose: purpose, state: state, sealed: [1, 2, 3], createdAt: moment)
    }
}

extension ServerKey {
    fileprivate static func new(_ purpose: Purpose, _ state: State, at moment: Timestamp) -> ServerKey {
        ServerKey(id: .sample(at: moment), purpose: purpose, state: state, sealed: [1, 2, 3], createdAt: moment)
    }
}

extension ServerKeyRotation {
    fileprivate static func sample(from active: ServerKey, at moment: Timestamp = .start + .days(2)) -> Self {
        Self(
            at: moment, active: active.id, newNext: .new(.accessTokens, .next, at: moment), forgetBefore: .start,
            by: .operator)
    }
}
