import HTTPTypes
import Hummingbird

/// `GET` and `POST /emulator/quirks`: which quirks are on. What is posted takes the place of what was.
struct QuirksController: Sendable {
    let authority: Authority

    @Sendable func quirks(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        answer()
    }

    @Sendable func change(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        guard let names = try body.strings("quirks") else { throw Members.refused("quirks", "is missing") }
        try body.checkNothingIsLeft()
        var quirks: Set<EmulatorConfiguration.Quirk> = []
        for name in names where !EmulatorConfiguration.Quirk.formerNames.contains(name) {
            guard let quirk = EmulatorConfiguration.Quirk(name) else {
                throw Members.refused("quirks", "may hold \(Self.text(EmulatorConfiguration.Quirk.all))")
            }
            quirks.insert(quirk)
        }
        try authority.step { $0.quirks = quirks }
        return answer()
    }

    private func answer() -> Response {
        let on = authority.current.quirks.map(\.description).sorted()
        return .uncachedJSON(.object([("quirks", .array(on.map { .string($0) }))]))
    }

    private static func text(_ quirks: [EmulatorConfiguration.Quirk]) -> String {
        quirks.map(\.description).joined(separator: ", ")
    }
}
