import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file with which a domain shows that it belongs to a team. Apple hands it out; the emulator computes it.
struct AssociationFile: Hashable, Sendable {
    static let path = "/.well-known/apple-developer-domain-association.txt"

    let content: String

    init(team: TeamID, domain: String) {
        let text = "siwa emulator domain association \(team) \(domain.lowercased())"
        content = Array(SHA256.hash(data: Data(text.utf8))).hexadecimal
    }

    /// What has to be served, and where.
    var json: JSONText { .object([("path", .string(Self.path)), ("content", .string(content))]) }

    /// A line break at the end is no difference.
    func matches(_ served: [UInt8]) -> Bool {
        String(decoding: served, as: UTF8.self).split(whereSeparator: \.isWhitespace) == [content[...]]
    }
}
