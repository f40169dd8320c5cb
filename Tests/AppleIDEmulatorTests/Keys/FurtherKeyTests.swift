import AppleIDTypes
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import TaskSignals
import Testing

@testable import AppleIDEmulator

@Suite("A running emulator", .timeLimit(.minutes(1)))
struct FurtherKeyTests {
    private struct Keys: Decodable {
        struct Key: Decodable { let kid: String }

        let keys: [Key]
    }

    private func keys(_ client: some TestClientProtocol) async throws -> [String] {
        try await client.execute(uri: "/auth/keys", method: .get) { response in
            try JSONDecoder().decode(Keys.self, from: Data(response.body.readableBytesView)).keys.map(\.kid)
        }
    }

    @Test("answers with one key, and soon publishes three, of which the first signs")
    func three() async throws {
        let emulator = try await Emulator(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let first = emulator.core.signingKeys.map(\.id.rawValue)
        #expect(first.count == 1)
        try await emulator.application(port: 0).test(.live) { client in
            try await emulator.core.furtherKeys.value()
            let published = try await keys(client)
            #expect(published.count == 3)
            #expect(Array(published.prefix(1)) == first)
            #expect(Set(published).count == 3)
        }
        #expect(try await !emulator.core.addSigningKey(), "three are enough")
    }

    @Test("finishes its start even if it can't store the further keys")
    func failing() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-keys-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let emulator = try await Emulator(
            configuration: EmulatorConfiguration(stateFile: folder.appending(path: "state.json").path),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        // The state file cannot be written any more.
        try FileManager.default.removeItem(at: folder)
        try await emulator.application(port: 0).test(.live) { _ in
            try await emulator.core.furtherKeys.value()
            #expect(emulator.core.signingKeys.count == 2, "the second is there, and not on disk")
        }
    }

    @Test("runs beside others, each on a port of its own, with keys of its own")
    func many() async throws {
        let kids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let emulator = try await TestEmulator().emulator
                    let (ports, port) = AsyncStream<Int>.makeStream()
                    return try await emulator.application(port: 0) { number in
                        port.yield(number)
                        port.finish()
                    }.test(.live) { client in
                        let number = try #require(await ports.first { _ in true })
                        try await emulator.move(to: "http://127.0.0.1:\(number)")
                        return try await client.execute(uri: "/.well-known/openid-configuration", method: .get) {
                            let text = String(buffer: $0.body)
                            #expect(text.contains("http://127.0.0.1:\(number)/auth/token"))
                            return text
                        }
                    }
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(kids.count == 4)
    }
}
