import AccountService
import Hummingbird
import NIOCore

/// Where Apple tells what happened to people's accounts. Nothing but its signature says that a request is Apple's.
struct NotificationController: Sendable {
    let notifications: AppleNotifications
    let limits: HTTPLimits

    /// 200 once it is kept, whatever it says and however often it comes; 4xx for what is no notification of Apple's for
    /// this service; 503 when Apple should send it again.
    @Sendable func receive(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try ContentType.json.require(in: request)
        let buffer = try await request.body.collect(upTo: limits.maximumBodyBytes)
        try await notifications.receive(Array(buffer.readableBytesView))
        return Response(status: .ok)
    }
}
