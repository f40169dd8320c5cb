import AppleIDTypes

/// The body of `POST /emulator/email-sources`: a source as in a portal's file, and whose it is.
struct EmailSourceOrder: Sendable {
    let team: TeamID
    let source: Portal.EmailSource

    init(_ bytes: [UInt8]) throws(Refusal) {
        var order = try Members(bytes)
        team = TeamID(try order.required("team"))
        source = try PortalReader().emailSource(&order)
    }
}
