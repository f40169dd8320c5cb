import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird
import Logging

/// For whoever starts, watches and balances processes.
struct HealthController: Sendable {
    let store: any AccountStore
    /// `apple`, or the emulator's URL.
    let apple: String

    func addRoutes(to router: some RouterMethods<ServiceContext>) {
        router.get("healthz", use: health)
        router.get("readyz", use: readiness)
    }

    @Sendable private func health(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try Response(json: HealthAnswer())
    }

    @Sendable private func readiness(_ request: Request, _ context: ServiceContext) async throws -> Response {
        do {
            try await store.check()
            return try Response(json: ReadinessAnswer(status: .ready, apple: apple))
        } catch {
            context.logger.log(
                level: ErrorMiddleware.isOutage(error) ? .debug : .warning, "The store does not answer",
                metadata: ["error": "\(error)"])
            return try Response(
                status: .serviceUnavailable, json: ReadinessAnswer(status: .unavailable, apple: apple))
        }
    }
}
