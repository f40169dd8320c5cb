import AppleIDTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state of a run as one JSON object, private keys and tokens included: the content of the state file, the codes, the
/// access tokens, and the behaviour.
struct Snapshot: Sendable, Codable {
    struct Code: Sendable, Codable {
        let code: String
        let issued: IssuedCode
    }

    struct AccessToken: Sendable, Codable {
        let token: String
        let issued: IssuedAccessToken
        let issuedAt: Int64
    }

    static let currentVersion = 1
    var version = Self.currentVersion
    /// The emulator's time, in seconds since 1970.
    let takenAt: Int64
    let state: SavedState
    let codes: [Code]
    let accessTokens: [AccessToken]
    /// The quirks that ``behaviour`` shows, for programs that know no more.
    let quirks: [String]
    /// Nil in snapshots of 2026, where ``quirks`` says it.
    let behaviour: Behaviour?
}

extension Snapshot {
    /// - Throws: a refusal when it could not be loaded again.
    func encoded(upTo limit: Int = SavedState.maximumBytes) throws -> [UInt8] {
        let data = try SavedState.encoder.encode(self)
        guard data.count <= limit else {
            throw Refusal(
                .snapshotTooLarge,
                "The snapshot would have more than \(limit >> 20) MB, and could not be loaded. A reset makes it smaller."
            )
        }
        return Array(data)
    }

    init(_ state: EmulatorState, at now: Int64) {
        self.init(
            takenAt: now, state: SavedState(state, signingKeys: state.signingKeys),
            codes: state.authorizations.codes.all.map { Code(code: $0.key, issued: $0.value) },
            accessTokens: state.tokens.accessTokens.stamped.map {
                AccessToken(token: $0.key, issued: $0.value, issuedAt: $0.insertedAt)
            },
            quirks: state.behaviour.quirks, behaviour: state.behaviour)
    }

    /// Whether all times lie in the years that dates can be written in.
    var hasGoodTimes: Bool {
        let times = codes.map(\.issued.issuedAt) + accessTokens.map(\.issuedAt)
        return times.allSatisfy(SavedState.isGoodTime) && state.hasGoodTimes
    }
}
