import AppleIDTypes
import StrictJSON

/// Apple's "Processing changes for Sign in with Apple accounts": one event about one person. Apple's page prints
/// `events` as an object; what arrives is a string that holds one.
struct EventsRule: VerificationRule {
    var name: String { "event" }

    /// The smallest number that is a time in milliseconds. Smaller numbers are seconds: as seconds, this number would
    /// lie in the year 5138. Apple's page shows seconds, and a captured event has milliseconds.
    private static let firstMillisecond: Int64 = 100_000_000_000
    private static let maximumBytes = 255

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard let events = try evidence.readClaims().events else {
            throw AppleIDError(.notANotification, "the token has no events")
        }
        let event = try object(events)
        // Unknown types are kept, because Apple expects every notification to be acknowledged.
        guard let type = event["type"]?.string, let subject = event["sub"]?.string,
            (1...Self.maximumBytes).contains(type.utf8.count),
            (1...SubjectRule.maximumBytes).contains(subject.utf8.count),
            let time = event["event_time"].flatMap(Self.milliseconds)
        else {
            throw AppleIDError(.malformedClaim, "the event lacks its type, its subject or its time")
        }
        evidence.event = NotificationEvent(
            type: EventType(type), subject: Subject(subject), time: time,
            email: event["email"]?.string.flatMap { $0.isEmpty ? nil : $0 },
            isPrivateEmail: (event["is_private_email"]?.scalar).flatMap(TokenClaims.bool))
    }

    func finding(in evidence: borrowing Evidence) -> String { evidence.event?.type.rawValue.quotedForPeople ?? "" }

    private func object(_ events: JSONValue) throws(AppleIDError) -> JSONValue {
        var object = events
        if let text = events.string {
            do {
                object = try JSONDocument(text.utf8, limits: JSONLimits(maximumDepth: 8)).root
            } catch {
                throw AppleIDError(.malformedClaim, "the events are not strict JSON: \(error)", cause: error)
            }
        }
        guard object.kind == .object else {
            throw AppleIDError(.malformedClaim, "the claim events is not an object")
        }
        return object
    }

    private static func milliseconds(_ value: JSONValue) -> Int64? {
        guard let number = value.int64 ?? value.double.flatMap({ Int64(exactly: $0.rounded(.down)) }),
            number > 0, number <= firstMillisecond * 10_000
        else { return nil }
        return number > firstMillisecond ? number : number * 1_000
    }
}
