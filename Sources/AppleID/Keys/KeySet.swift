import AppleIDTypes
import StrictJSON

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// An issuer's keys of one moment (RFC 7517 §5).
package struct KeySet<Key: PublicKey>: Sendable {
    /// As it was published.
    let json: [UInt8]
    let keys: [KeyID: Key]
    private(set) var fetchedAt: Date

    /// Keeps the keys that can be used. Two different keys of one name are both left out, since nothing says which is
    /// meant.
    /// - Throws: ``AppleIDError/Code/malformedAnswer`` when this is no key set or no key is usable.
    package init(_ json: [UInt8], fetchedAt: Date) throws(AppleIDError) {
        let root: JSONValue
        do {
            root = try JSONDocument(json).root
        } catch {
            throw AppleIDError(.malformedAnswer, "the key set is not strict JSON: \(error)", cause: error)
        }
        guard let members = root["keys"], members.kind == .array else {
            throw AppleIDError(.malformedAnswer, "the answer is not a key set")
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
        guard !keys.isEmpty else { throw AppleIDError(.malformedAnswer, "the key set has no usable key") }
        self.json = json
        self.keys = keys
        self.fetchedAt = fetchedAt
    }

    /// The same keys with another time.
    func dated(_ moment: Date) -> Self {
        var set = self
        set.fetchedAt = moment
        return set
    }

    /// Asks for it once.
    /// - Throws: ``AppleIDError/Code/appleUnavailable`` when there is no answer, or another one than 200: a redirect is
    ///   no answer either. ``AppleIDError/Code/malformedAnswer``.
    package static func fetched(
        from url: String, over transport: any AppleTransport, now: () -> Date
    ) async throws(AppleIDError) -> Self {
        let response: AppleResponse
        do {
            response = try await transport.send(.get(url))
        } catch {
            throw AppleIDError(.appleUnavailable, "the request for the keys was not answered", cause: error)
        }
        guard response.status == 200 else {
            throw AppleIDError(.appleUnavailable, "the request for the keys was answered with \(response.status)")
        }
        return try Self(response.body, fetchedAt: now())
    }
}
