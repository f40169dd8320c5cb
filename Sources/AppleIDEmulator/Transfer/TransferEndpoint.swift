import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/transfers`: apps that change hands, the sender's offer and the recipient's acceptance in one.
struct TransferEndpoint: Sendable {
    let core: EmulatorCore

    /// `GET /emulator/transfers`
    @Sendable func transfers(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        .uncachedJSON(.object([("transfers", .array(core.current.transfers.all.map(json)))]))
    }

    /// `POST /emulator/transfers` with `clientID` and `team`, the recipient.
    @Sendable func transfer(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let app = ClientID(try body.required("clientID"))
        let team = TeamID(try body.required("team"))
        try body.checkAllWereRead()
        return .uncachedJSON(json(try await core.transfer(app, to: team)))
    }

    private func json(_ transfer: Transfer) -> JSONText {
        .object([
            ("app", .string(transfer.app.rawValue)), ("from", .string(transfer.from.rawValue)),
            ("to", .string(transfer.to.rawValue)), ("acceptedAt", .integer(transfer.acceptedAt)),
            ("openUntil", .integer(transfer.acceptedAt + Transfer.window)),
        ])
    }
}
