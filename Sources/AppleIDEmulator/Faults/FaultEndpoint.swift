import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/faults`: adds and clears faults.
struct FaultEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        .uncachedJSON(.object([("faults", .array(core.faults.faults.map(\.json)))]))
    }

    @Sendable func add(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let fault = try Fault(await request.boundedBody())
        return .uncachedJSON(try core.faults.add(fault).json)
    }

    /// Clears the fault that `id` names, or all without it.
    @Sendable func clear(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let id = try await request.optionalMember("id")
        if let id { try core.faults.clear(id) } else { core.faults.clear() }
        return list(request, context)
    }
}

extension Fault {
    /// The body of `POST /emulator/faults`.
    init(_ bytes: [UInt8]) throws(Refusal) {
        var members = try Members(bytes)
        let name = try members.required("fault")
        guard let kind = Kind(rawValue: name) else {
            throw Members.refused("fault", "must be one of \(Self.names(Kind.allCases.map(\.rawValue)))")
        }
        var endpoint: Endpoint?
        if let name = try members.string("endpoint") {
            let possible = Endpoint.allCases.filter(kind.endpoints.contains)
            endpoint = possible.first { $0.rawValue == name }
            guard endpoint != nil else {
                let names = Self.names(possible.map(\.rawValue))
                throw Members.refused("endpoint", "must be one of \(names) for this fault")
            }
        }
        let times = try Self.number("times", &members, in: 1...1_000_000)
        let share = try members.number("share") ?? 1
        guard share > 0, share <= 1 else { throw Members.refused("share", "must be more than 0, and 1 at most") }
        let seed = try Self.number("seed", &members, in: 0...Int64.max) ?? 0
        let milliseconds = try Self.number("milliseconds", &members, in: 0...Self.maximumMilliseconds)
        guard milliseconds == nil || kind == .latency else {
            throw Members.refused("milliseconds", "belongs to latency")
        }
        let status = try Self.number("status", &members, in: 500...599)
        guard status == nil || kind == .outage else { throw Members.refused("status", "belongs to outage") }
        let retryAfter = try Self.number("retryAfter", &members, in: 0...86_400)
        guard retryAfter == nil || kind == .throttle else { throw Members.refused("retryAfter", "belongs to throttle") }
        try members.checkAllWereRead()
        self.init(
            kind, at: endpoint, times: times, share: share, seed: UInt64(seed), milliseconds: milliseconds ?? 1_000,
            status: Int(status ?? 503), retryAfter: retryAfter ?? 60)
    }

    /// The fault as the control calls show it.
    var json: JSONText {
        .object([
            ("id", .string(id)), ("fault", .string(kind.rawValue)), ("endpoint", .string(endpoint?.rawValue)),
            ("remaining", remaining.map { .integer($0) }), ("share", .number(share)), ("seed", .integer(Int64(seed))),
            ("milliseconds", kind == .latency ? .integer(milliseconds) : nil),
            ("status", kind == .outage ? .integer(Int64(status)) : nil),
            ("retryAfter", kind == .throttle ? .integer(retryAfter) : nil),
            ("seen", .integer(seen)), ("hits", .integer(hits)),
        ])
    }

    private static func number(
        _ name: String, _ members: inout Members, in range: ClosedRange<Int64>
    ) throws(Refusal) -> Int64? {
        guard let number = try members.integer(name) else { return nil }
        guard range.contains(number) else {
            throw Members.refused(name, "must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func names(_ words: [String]) -> String { words.joined(separator: ", ") }
}
