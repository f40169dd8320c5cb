import AppleIDTypes
import StrictJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Apple's keys of one moment (RFC 7517 §5).
struct KeySet: Sendable {
    let keys: [KeyID: ApplePublicKey]
    let fetchedAt: Date

    /// Keeps the keys that RS256 can use. Two different keys of one name are both left out, since nothing says which is
    /// meant.
    /// - Throws: ``AppleIDError/Code/malformedAnswer`` when this is no key set or no key is usable.
    init(_ json: [UInt8], fetchedAt: Date) throws(AppleIDError) {
        let root: JSONValue
        do {
            root = try JSONDocument(json).root
        } catch {
            throw AppleIDError(.malformedAnswer, "the key set is not strict JSON: \(error)", cause: error)
        }
        guard let members = root["keys"], members.kind == .array else {
            throw AppleIDError(.malformedAnswer, "the answer is not a key set")
        }
        var keys: [KeyID: ApplePublicKey] = [:]
        var ambiguous: Set<KeyID> = []
        for key in members.elements.lazy.compactMap(ApplePublicKey.init) {
            if let other = keys.updateValue(key, forKey: key.id),
                other.derRepresentation != key.derRepresentation
            {
                ambiguous.insert(key.id)
            }
        }
        keys = keys.filter { !ambiguous.contains($0.key) }
        guard !keys.isEmpty else { throw AppleIDError(.malformedAnswer, "the key set has no usable key") }
        self.keys = keys
        self.fetchedAt = fetchedAt
    }
}
