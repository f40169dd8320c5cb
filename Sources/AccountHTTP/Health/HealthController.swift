import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird
import Logging

/// The calls of the programs that start, watch and balance servers.
struct HealthController: Sendable {
    let store: AccountTransactions
    /// `apple`, or the emulator's URL.
    let apple: String

    @Sendable func health(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try Response(json: HealthAnswer())
    }

    @Sendable func readiness(_ request: Request, _ context: ServiceContext) async throws -> Response {
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
