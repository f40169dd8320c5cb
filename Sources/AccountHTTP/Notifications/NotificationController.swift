import AccountService
import Hummingbird
import NIOCore

/// Receives Apple's notifications about people's accounts. Only the signature proves that a request is Apple's.
struct NotificationController: Sendable {
    let notifications: AppleNotifications
    let limits: HTTPLimits

    /// Answers 200 once the notification is kept, whatever it says and however often it comes; 4xx if it is no
    /// notification of Apple's for this service; 503 when Apple should send it again.
    @Sendable func receive(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try ContentType.json.require(in: request)
        let buffer = try await request.body.collect(upTo: limits.maximumBodyBytes)
        try await notifications.receive(Array(buffer.readableBytesView))
        return Response(status: .ok)
    }
}
