import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `POST /auth/usermigrationinfo`: how the subjects of two teams belong together, for an app that changes hands.
struct MigrationEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func migrate(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        guard request.mediaType != "application/json" else {
            throw Refusal(.invalidRequest, "The body must be a form, not JSON.")
        }
        let answer = try core.migrate(try await request.clientFields(), accessToken: request.credentials("bearer"))
        return .uncachedJSON(answer.json)
    }
}

extension EmulatorCore {
    /// `POST /auth/usermigrationinfo`, for either team.
    func migrate(_ fields: FormFields, accessToken: String?) throws(Refusal) -> MigrationAnswer {
        try fields.checkHasClient()
        let client = try client(of: fields, forMigration: true)
        return try current.migrate(
            MigrationRequest(fields), for: client, accessToken: accessToken, at: environment.seconds)
    }

    func transfer(_ app: ClientID, to team: TeamID) async throws -> Transfer {
        let key = Portal.Key.generated(id: KeyID(randomness.portalID()))
        let now = environment.seconds
        let transfer = try step { (state) throws(Refusal) in
            try state.transfer(app, to: team, newKey: key, at: now)
        }
        try await saveState()
        return transfer
    }
}

/// The question of a team at `/auth/usermigrationinfo`.
enum MigrationRequest: Sendable {
    /// The sender: what will lead to this subject once the target has the app?
    case outgoing(Subject, target: TeamID)
    /// The recipient: who is it here?
    case incoming(Subject)

    init(_ fields: FormFields) throws(Refusal) {
        switch (fields["sub"], fields["target"], fields["transfer_sub"]) {
        case (let subject?, let target?, nil): self = .outgoing(Subject(subject), target: TeamID(target))
        case (nil, nil, let subject?): self = .incoming(Subject(subject))
        default: throw Refusal(.invalidRequest, "Send sub and target, or transfer_sub alone.")
        }
    }
}

/// The answer that a team gets at `/auth/usermigrationinfo`.
enum MigrationAnswer: Sendable {
    case transferSubject(Subject)
    /// The person's subject, with a new relay address for a person who had one with the app, and no address otherwise.
    case subject(Subject, relayAddress: String?)

    var json: JSONText {
        switch self {
        case .transferSubject(let subject): .object([("transfer_sub", .string(subject.rawValue))])
        case .subject(let subject, let address):
            .object([
                ("sub", .string(subject.rawValue)), ("email", .string(address)),
                ("is_private_email", address.map { _ in .bool(true) }),
            ])
        }
    }
}
