package import AppleIDTypes
package import StrictJSON

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// An issuer's keys of one moment (RFC 7517 §5).
package struct KeySet<Key: PublicKey>: Sendable {
    /// The set as it was published.
    let json: [UInt8]
    let keys: [KeyID: Key]
    private(set) var fetchedAt: Date

    /// Keeps the keys that can be used. It leaves out two different keys of one name, because a token doesn't say which
    /// one it means.
    /// - Throws: ``KeySetError/Code/malformedKeySet`` when this is no key set or no key is usable.
    package init(_ json: [UInt8], fetchedAt: Date) throws(KeySetError) {
        let root: JSONValue
        do {
            root = try JSONDocument(json).root
        } catch {
            throw KeySetError(.malformedKeySet, "the key set is not strict JSON: \(error)", cause: error)
        }
        guard let members = root["keys"], members.kind == .array else {
            throw KeySetError(.malformedKeySet, "the answer is not a key set")
        }
        var keys: [KeyID: Key] = [:]
        var ambiguous: Set<KeyID> = []
        for key in members.elements.lazy.compactMap(Key.init) {
            if let other = keys.updateValue(key, forKey: key.id),
                other.derRepresentation != key.derRepresentation
            {
                ambiguous.insert(key.id)
            }
        }
        keys = keys.filter { !ambiguous.contains($0.key) }
        guard !keys.isEmpty else { throw KeySetError(.malformedKeySet, "the key set has no usable key") }
        self.json = json
        self.keys = keys
        self.fetchedAt = fetchedAt
    }

    /// Returns these keys with another time.
    func dated(_ moment: Date) -> Self {
        var set = self
        set.fetchedAt = moment
        return set
    }

    /// Fetches a key set with one request.
    /// - Throws: ``KeySetError/Code/unreachable`` when there is no answer, or another one than 200: a redirect is
    ///   no answer either. ``KeySetError/Code/malformedKeySet``.
    package static func fetched(
        from url: String, over transport: any AppleTransport, now: () -> Date
    ) async throws(KeySetError) -> Self {
        let response: AppleResponse
        do {
            response = try await transport.send(.get(url))
        } catch {
            throw KeySetError(.unreachable, "the request for the keys was not answered", cause: error)
        }
        guard response.status == 200 else {
            throw KeySetError(.unreachable, "the request for the keys was answered with \(response.status)")
        }
        return try Self(response.body, fetchedAt: now())
    }
}

/// A key out of a key set, parsed once and fit for one algorithm.
package protocol PublicKey: Sendable {
    var id: KeyID { get }
    /// The encoding that two spellings of one key have in common.
    var derRepresentation: [UInt8] { get }

    /// A member of a key set's `keys` (RFC 7517 §4), or nil for one that the algorithm cannot use.
    init?(_ key: JSONValue)
}

/// How long a key set serves, in seconds since it was fetched.
package struct KeySetLifetime: Sendable {
    /// The age from which a set is refreshed while it still serves.
    package let freshness: TimeInterval
    /// The age from which a set no longer serves.
    package let maximumStaleness: TimeInterval

    package init(freshness: TimeInterval, maximumStaleness: TimeInterval) {
        self.freshness = freshness
        self.maximumStaleness = maximumStaleness
    }

    /// An hour and, while Apple fails, seven days.
    package static let apple = Self(freshness: 3_600, maximumStaleness: 7 * 86_400)
}
