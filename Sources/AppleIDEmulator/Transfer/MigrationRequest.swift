import AppleIDTypes

/// What a team asks at `/auth/usermigrationinfo`.
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
