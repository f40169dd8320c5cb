public import AppleIDEmulator
public import AppleIDTypes
import HTTPTypes

@available(siwaServer 1.0, *)
extension Emulator {
    /// Returns the identifiers of the emulator's keys for tokens.
    public func signingKeys() async throws -> TestSigningKeys { try await controlled(.get, "/emulator/keys") }

    /// Makes a new key, which signs from now on. The former one stays published. Making a key takes up to half a second.
    @discardableResult
    public func rotateKeys() async throws -> TestSigningKeys {
        try await controlled(.post, "/emulator/keys/rotate", [:])
    }

    /// Takes a key out of the published set.
    /// - Parameter key: nil for all but the one that signs.
    /// - Throws: ``ControlRefused`` for a key that isn't published, or that signs.
    @discardableResult
    public func retireKeys(_ key: KeyID? = nil) async throws -> TestSigningKeys {
        try await controlled(.post, "/emulator/keys/retire", ["kid": Member(text: key?.rawValue)])
    }
}

/// The identifiers of the emulator's keys for tokens.
public struct TestSigningKeys: Hashable, Sendable, Decodable {
    /// The key that signs.
    public let signing: KeyID
    /// All published keys, the signing one first.
    public let published: [KeyID]
}
