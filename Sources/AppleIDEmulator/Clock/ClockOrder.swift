#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The body of `POST /emulator/clock`.
struct ClockOrder: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        /// Seconds since 1970.
        case to(Int64)
        case by(Int64)
        /// To the clock that the emulator was given, running.
        case back
    }

    static let earliest = Date(timeIntervalSince1970: 0)
    /// The last second of the year 9999.
    static let latest = Date(timeIntervalSince1970: 253_402_300_799)

    let change: Change?
    /// Nil: as it was.
    let isStopped: Bool?

    init(_ bytes: [UInt8]) throws(Refusal) {
        var order = try Members(bytes)
        var changes: [Change] = []
        if let seconds = try Self.seconds("now", &order) { changes.append(.to(seconds)) }
        if let seconds = try Self.seconds("advance", &order) { changes.append(.by(seconds)) }
        if try order.bool("reset") == true { changes.append(.back) }
        isStopped = try order.bool("frozen")
        try order.checkNothingIsLeft()
        guard changes.count <= 1 else { throw Members.refused("", "has one of now, advance and reset at most") }
        change = changes.first
        guard change != nil || isStopped != nil else {
            throw Members.refused("", "has now, advance, reset or frozen")
        }
    }

    /// Small enough that sums of them mean something.
    private static func seconds(_ name: String, _ order: inout Members) throws(Refusal) -> Int64? {
        guard let seconds = try order.integer(name) else { return nil }
        guard seconds.magnitude <= 253_402_300_799 else {
            throw Members.refused(name, "must be seconds, and no later than the year 9999")
        }
        return seconds
    }
}
