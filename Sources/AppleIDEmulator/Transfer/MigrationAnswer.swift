import AppleIDTypes

/// What a team learns at `/auth/usermigrationinfo`.
enum MigrationAnswer: Sendable {
    case transferSubject(Subject)
    /// With the new relay address of who had one with the app, and no address of anybody else.
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
