import AppleIDTypes
import Testing

@testable import AppleIDEmulator

@Suite("The transfers of a run")
struct TransferLogTests {
    private func transfer(_ app: ClientID, at time: Int64, _ keys: Portal.Key...) -> Transfer {
        Transfer(app: app, from: "JUICETEAM1", to: "CIDERTEAM2", acceptedAt: time, formerKeys: keys)
    }

    @Test("are at most a thousand, and the oldest is dropped with its keys")
    func capacity() throws {
        var log = TransferLog()
        try log.append(transfer("com.example.first", at: 0, TestPortal.key))
        try log.append(transfer("com.example.second", at: 1, TestPortal.otherGroupKey))
        #expect(log.formerKeys[TestPortal.key.id]?.group == "com.example.first")
        for time in 2..<Int64(TransferLog.capacity) { try log.append(transfer("com.example.other", at: time)) }
        #expect(log.all.count == TransferLog.capacity)
        #expect(log.last(of: "com.example.first") != nil)
        try log.append(transfer("com.example.other", at: 5_000))
        #expect(log.all.count == TransferLog.capacity)
        #expect(log.last(of: "com.example.first") == nil)
        #expect(log.last(of: "com.example.other")?.acceptedAt == 5_000)
        #expect(Array(log.formerKeys.keys) == [TestPortal.otherGroupKey.id])
    }

    @Test("a damaged former key is refused, and nothing changes")
    func damaged() throws {
        var log = TransferLog()
        try log.append(transfer("com.example.first", at: 0, TestPortal.key))
        let broken = Portal.Key(id: "KEYBROKEN1", privateKey: "nonsense")
        let error = #expect(throws: EmulatorError(.unreadableState, "")) {
            try log.append(transfer("com.example.second", at: 1, TestPortal.otherGroupKey, broken))
        }
        #expect(error?.reason.contains("KEYBROKEN1") == true)
        #expect(log.all.count == 1)
        #expect(Array(log.formerKeys.keys) == [TestPortal.key.id])
    }

    @Test("a state with more transfers is read up to the newest thousand")
    func loading() throws {
        let log = try TransferLog((0..<1_500).map { transfer("com.example.juice", at: $0) })
        #expect(log.all.map(\.acceptedAt) == Array(500..<1_500))
    }
}
