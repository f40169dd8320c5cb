import AppleIDEmulator
import CommandIO
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import siwa

@Suite("The ports of a demo")
struct DemoPortsTests {
    /// Another program's port, while the body runs.
    private func withPort(_ wanted: Int = 0, _ body: (Int) async throws -> Void) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: wanted).get()
        do {
            try await body(try #require(channel.localAddress?.port))
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
    }

    @Test("are three different ones")
    func different() async throws {
        let ports = try await DemoPorts.choose(service: 0, emulator: 0, mail: 0)
        #expect(Set([ports.service, ports.emulator, ports.mail]).count == 3)
    }

    @Test("are those that were asked for, if they are free")
    func wanted() async throws {
        let free = try await DemoPorts.choose(service: 0, emulator: 0, mail: 0)
        let ports = try await DemoPorts.choose(service: free.service, emulator: free.emulator, mail: free.mail)
        #expect(ports == free)
    }

    @Test("are named one by one when they are in use, with the next free one", arguments: 0..<3)
    func busy(position: Int) async throws {
        try await withPort { busy in
            let wanted = (0..<3).map { $0 == position ? busy : 0 }
            let failure = await #expect(throws: Failure.self) {
                try await DemoPorts.choose(service: wanted[0], emulator: wanted[1], mail: wanted[2])
            }
            #expect(failure?.problem == "port \(busy) is in use")
            let flag = ["--port", "--emulator-port", "--mail-port"][position]
            let hint = try #require(failure?.hint)
            let next = try #require(hint.wholeMatch(of: /(--[a-z-]+) ([0-9]+) takes the next free one/)).output
            #expect(next.1 == flag)
            let number = try #require(Int(next.2))
            #expect(number > busy)
        }
    }

    @Test("are chosen anew when another program takes one before a server listens there", arguments: [false, true])
    func taken(byMailServer: Bool) async throws {
        var chosen: [DemoPorts] = []
        try await DemoPorts.choose(service: 0, emulator: 0, mail: 0) { ports in
            chosen.append(ports)
            guard chosen.count == 1 else { return }
            try await withPort(ports.mail) { busy in
                guard byMailServer else { return try await withPort(busy) { _ in } }
                let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                let emulator = try await Emulator(
                    configuration: EmulatorConfiguration(mailPort: busy), logger: logger)
                try await emulator.application(host: "127.0.0.1", port: 0).run()
            }
        }
        #expect(chosen.count == 2)
    }

    @Test("don't include the usual mail port if it is busy")
    func mail() async throws {
        do {
            try await withPort(DemoPorts.usualMailPort) { busy in
                let ports = try await DemoPorts.choose(service: 0, emulator: 0, mail: nil)
                #expect(ports.mail != busy)
            }
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            // A program beside the tests has it, which is as good.
            let ports = try await DemoPorts.choose(service: 0, emulator: 0, mail: nil)
            #expect(ports.mail != DemoPorts.usualMailPort)
        }
    }
}
