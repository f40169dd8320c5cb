import HTTPTypes
import Hummingbird

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `GET /emulator/portal`: all that a relying party must configure, private keys included.
struct PortalController: Sendable {
    let authority: Authority

    @Sendable func portal(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try Self.response(authority.portal)
    }

    /// What may hold private keys, and so is nowhere stored on its way.
    static func response(_ value: some Encodable) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var response = Response.json(text: String(decoding: try encoder.encode(value), as: UTF8.self))
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
