import HTTPTypes
import Hummingbird
import StrictJSON

/// `/emulator/behaviour` and, by the names of former quirks, `/emulator/quirks`: what the emulator does where Apple
/// leaves it open.
struct BehaviourEndpoint: Sendable {
    let core: EmulatorCore

    /// `GET /emulator/behaviour`: every field with its value.
    @Sendable func show(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        behaviourResponse()
    }

    /// `POST /emulator/behaviour` with `behaviour`: sets the fields that it names. The others stay as they are.
    @Sendable func change(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        guard let value = body.value("behaviour") else { throw Members.refused("behaviour", "is missing") }
        try body.checkAllWereRead()
        let members = try Members(value, path: "behaviour.")
        try core.step { (state) throws(Refusal) in
            var members = members
            var behaviour = state.behaviour
            for field in BehaviourTable.fields { try field.take(from: &members, into: &behaviour) }
            try members.checkAllWereRead()
            state.behaviour = behaviour
        }
        return behaviourResponse()
    }

    /// `GET /emulator/quirks`: the quirks that are on.
    @Sendable func showQuirks(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        quirksResponse()
    }

    /// `POST /emulator/quirks` with `quirks`: the quirks that are on from now, in the place of those before.
    @Sendable func replaceQuirks(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        guard let names = try body.strings("quirks") else { throw Members.refused("quirks", "is missing") }
        try body.checkAllWereRead()
        let behaviour: Behaviour
        do throws(Behaviour.UnknownQuirk) {
            behaviour = try Behaviour(quirks: names)
        } catch {
            throw Members.refused("quirks", "may hold \(BehaviourTable.quirks.joined(separator: ", "))")
        }
        try core.step { $0.behaviour = behaviour }
        return quirksResponse()
    }

    private func behaviourResponse() -> Response {
        let behaviour = core.current.behaviour
        let members = BehaviourTable.fields.map { ($0.name, $0.value(in: behaviour).json as JSONText?) }
        return .uncachedJSON(.object([("behaviour", .object(members))]))
    }

    private func quirksResponse() -> Response {
        let quirks = core.current.behaviour.quirks
        return .uncachedJSON(.object([("quirks", .array(quirks.map { .string($0) }))]))
    }
}

extension BehaviourField {
    /// Sets the field to the value in a call's body, if it has one.
    fileprivate func take(from members: inout Members, into behaviour: inout Behaviour) throws(Refusal) {
        guard let json = members.value(name) else { return }
        let value = json.bool.map { Value.flag($0) } ?? json.string.map { .word($0) }
        guard let value, set(value, in: &behaviour) else {
            let words = values.map(\.description).joined(separator: ", ")
            throw Members.refused(members.path + name, "must be one of \(words)")
        }
    }
}

extension BehaviourField.Value {
    fileprivate var json: JSONText {
        switch self {
        case .flag(let isOn): .bool(isOn)
        case .word(let word): .string(word)
        }
    }
}
