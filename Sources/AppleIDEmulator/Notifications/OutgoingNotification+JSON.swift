import AppleIDTypes

extension OutgoingNotification {
    /// As the control calls show it.
    var json: JSONText {
        var due: Int64?
        let word: String
        switch state {
        case .waiting(let time):
            word = isHeld || waitsForNext ? "held" : "queued"
            due = isHeld || waitsForNext ? nil : time
        case .sending: word = "sending"
        case .delivered: word = "delivered"
        case .failed: word = "failed"
        case .unaddressed: word = "unaddressed"
        }
        return .object([
            ("id", .string(id)),
            ("type", .string(type.rawValue)),
            ("clientID", .string(audience.rawValue)),
            ("url", .string(address)),
            ("state", .string(word)),
            ("createdAt", .integer(createdAt)),
            ("dueAt", due.map { .integer($0) }),
            ("attempts", .array(attempts.map(\.json))),
            ("claims", claims),
            ("payload", .string(payload)),
        ])
    }
}

extension OutgoingNotification.Attempt {
    fileprivate var json: JSONText {
        switch outcome {
        case .status(let status): .object([("at", .integer(at)), ("status", .integer(Int64(status)))])
        case .unanswered(let reason): .object([("at", .integer(at)), ("error", .string(reason))])
        }
    }
}
