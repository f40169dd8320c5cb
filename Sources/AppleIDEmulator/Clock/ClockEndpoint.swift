import HTTPTypes
import Hummingbird

/// `/emulator/clock`: the time by which codes, secrets and tokens age, and notifications are tried again.
struct ClockEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func show(_ request: Request, _ context: EmulatorContext) -> Response {
        answer()
    }

    @Sendable func set(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        core.clock.apply(try SetClockRequest(await request.boundedBody()))
        core.outbox.notify()
        return answer()
    }

    private func answer() -> Response {
        .uncachedJSON(
            .object([
                ("now", .integer(core.environment.seconds)), ("frozen", .bool(core.clock.isStopped)),
            ]))
    }
}

/// The body of `POST /emulator/clock`.
struct SetClockRequest: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        /// Seconds since 1970.
        case to(Int64)
        case by(Int64)
        /// Goes back to the clock that the emulator was given, which runs.
        case back
    }

    let change: Change?
    /// Whether the clock stands still; nil to leave it as it is.
    let isStopped: Bool?

    init(_ bytes: [UInt8]) throws(Refusal) {
        var members = try Members(bytes)
        var changes: [Change] = []
        if let seconds = try Self.seconds("now", &members) { changes.append(.to(seconds)) }
        if let seconds = try Self.seconds("advance", &members) { changes.append(.by(seconds)) }
        if try members.bool("reset") == true { changes.append(.back) }
        isStopped = try members.bool("frozen")
        try members.checkAllWereRead()
        guard changes.count <= 1 else { throw Members.refused("", "has one of now, advance and reset at most") }
        change = changes.first
        guard change != nil || isStopped != nil else {
            throw Members.refused("", "has now, advance, reset or frozen")
        }
    }

    /// Reads a number of seconds that is small enough for sums.
    private static func seconds(_ name: String, _ members: inout Members) throws(Refusal) -> Int64? {
        guard let seconds = try members.integer(name) else { return nil }
        let limit = EmulatorClock.seconds.upperBound
        guard (-limit...limit).contains(seconds) else {
            throw Members.refused(name, "must be seconds, and no later than the year 9999")
        }
        return seconds
    }
}
