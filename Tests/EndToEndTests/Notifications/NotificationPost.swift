import AppleIDEmulator
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TaskSignals
import Testing

/// The way of the emulator's notifications to a service that is asked by its routes.
final class NotificationPost: Sendable {
    private let service = Lock<(any TestClientProtocol)?>(nil)
    private let given = Lock<[Int]>([])

    /// The statuses of the service's answers.
    var statuses: [Int] { given.withLock { $0 } }

    /// - Parameter service: nil when the test is over.
    func lead(to service: (any TestClientProtocol)?) { self.service.withLock { $0 = service } }

    /// The closure that an emulator delivers with.
    var way: @Sendable (NotificationRequest) async throws -> Int {
        { try await self.deliver($0) }
    }

    private func deliver(_ request: NotificationRequest) async throws -> Int {
        let service = try #require(service.withLock { $0 })
        let answer = try await service.execute(
            uri: "/apple/notifications", method: .post, headers: [.contentType: "application/json"],
            body: ByteBuffer(string: request.body))
        given.withLock { $0.append(answer.status.code) }
        return answer.status.code
    }
}
