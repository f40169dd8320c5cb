import Foundation
import Logging
import ServiceLifecycle

/// systemd, when it has started this process as a service of `Type=notify`. It waits to hear that the server is ready, and
/// that it stops.
///
/// The messages are those of sd_notify(3): datagrams to the socket that `NOTIFY_SOCKET` names.
struct Supervisor: Service {
    /// A message, in sd_notify's words.
    enum Message: String {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    /// A path, or an abstract name behind an `@`.
    private let socketName: String
    private let logger: Logger

    /// Finds systemd's socket; nil if systemd didn't start this process as `Type=notify`.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment, logger: Logger) {
        guard let socketName = environment["NOTIFY_SOCKET"], !socketName.isEmpty else { return nil }
        self.socketName = socketName
        self.logger = logger
    }

    /// Waits for the shutdown, and says that it has begun.
    func run() async {
        do {
            try await gracefulShutdown()
        } catch {
            // The group ends at once because a service has failed. That is a stop as well.
        }
        tell(.stopping)
    }

    /// Sends a message. A failure is logged: systemd then ends the process when its time is up, and says so.
    func tell(_ message: Message) {
        do {
            try send(message.rawValue)
        } catch {
            logger.warning(
                "systemd could not be told what this server does.",
                metadata: ["message": "\(message.rawValue)", "reason": "\(error.localizedDescription)"])
        }
    }

    #if os(Linux)
        private func send(_ text: String) throws {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var name = Array(socketName.utf8)
            let isAbstract = name[0] == UInt8(ascii: "@")
            if isAbstract { name[0] = 0 }
            // A path ends with a zero; an abstract name ends where the address ends.
            guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { throw POSIXError(.ENAMETOOLONG) }
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
            let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + name.count + (isAbstract ? 0 : 1)
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw Self.systemError }
            defer { close(descriptor) }
            let sent = unsafe withUnsafePointer(to: &address) { address in
                unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe sendto(
                        descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL), address, socklen_t(length))
                }
            }
            guard sent == text.utf8.count else { throw Self.systemError }
        }

        private static var systemError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    #else
        /// systemd is Linux's alone.
        private func send(_ text: String) throws { throw POSIXError(.EOPNOTSUPP) }
    #endif
}
