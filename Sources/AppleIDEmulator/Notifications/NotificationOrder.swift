import AppleIDTypes

/// The body of `POST /emulator/notifications`: an event that nobody's deed brought about.
struct NotificationOrder: Sendable {
    private static let maximumBytes = 255

    /// Any word, because apps should bear those that Apple has not thought of yet; and as given, whatever the switches.
    let type: EventType
    let person: String
    let clientID: ClientID
    /// Milliseconds since 1970.
    let time: Int64?

    init(_ bytes: [UInt8]) throws(Refusal) {
        var order = try Members(bytes)
        guard let type = try order.string("type"), (1...Self.maximumBytes).contains(type.utf8.count) else {
            throw Members.refused("type", "must have 1 to \(Self.maximumBytes) bytes")
        }
        self.type = EventType(type)
        person = try order.required("person")
        clientID = ClientID(try order.required("clientID"))
        time = try order.integer("eventTime")
        if let time, time <= 0 { throw Members.refused("eventTime", "must be milliseconds since 1970") }
        try order.checkNothingIsLeft()
    }
}
