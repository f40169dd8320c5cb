#if os(Linux)
    import Foundation
    import InMemoryLogging
    import Logging
    import Testing

    @testable import siwa

    @Suite("systemd, as a supervisor")
    struct SupervisorTests {
        /// The end of the socket that systemd reads.
        private final class Listener {
            private let descriptor: Int32

            init(_ bytes: [UInt8], isAbstract: Bool) throws {
                descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
                try #require(descriptor >= 0)
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
                let length =
                    try #require(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)) + bytes.count + (isAbstract ? 0 : 1)
                let bound = unsafe withUnsafePointer(to: &address) { address in
                    unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                        unsafe bind(descriptor, address, socklen_t(length))
                    }
                }
                try #require(bound == 0)
            }

            deinit { close(descriptor) }

            /// The next datagram, which has been sent already.
            func next() -> String? {
                var bytes = [UInt8](repeating: 0, count: 64)
                let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
                return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
            }
        }

        private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        @Test("hears at a path that the server is ready, and that it stops")
        func path() throws {
            let path = FileManager.default.temporaryDirectory.appending(path: "notify-\(UUID().uuidString)").path
            defer { unsafe unlink(path) }
            let listener = try Listener(Array(path.utf8), isAbstract: false)
            let supervisor = try #require(Supervisor(environment: ["NOTIFY_SOCKET": path], logger: logger))
            supervisor.tell(.ready)
            #expect(listener.next() == "READY=1")
            supervisor.tell(.stopping)
            #expect(listener.next() == "STOPPING=1")
            #expect(listener.next() == nil)
        }

        @Test("hears it through an abstract socket too")
        func abstract() throws {
            let name = "siwa-\(UUID().uuidString)"
            let listener = try Listener([0] + Array(name.utf8), isAbstract: true)
            let supervisor = try #require(Supervisor(environment: ["NOTIFY_SOCKET": "@" + name], logger: logger))
            supervisor.tell(.ready)
            #expect(listener.next() == "READY=1")
        }

        @Test("is used only if NOTIFY_SOCKET names its socket", arguments: [[:], ["NOTIFY_SOCKET": ""]])
        func absent(_ environment: [String: String]) {
            #expect(Supervisor(environment: environment, logger: logger) == nil)
        }

        @Test(
            "that can't be reached causes a warning only",
            arguments: ["/nowhere/notify", "/" + String(repeating: "n", count: 200)])
        func unreachable(_ socket: String) throws {
            let handler = InMemoryLogHandler()
            let supervisor = try #require(
                Supervisor(
                    environment: ["NOTIFY_SOCKET": socket], logger: Logger(label: "test") { _ in handler }))
            supervisor.tell(.ready)
            #expect(handler.entries.map(\.level) == [.warning])
        }
    }
#endif
