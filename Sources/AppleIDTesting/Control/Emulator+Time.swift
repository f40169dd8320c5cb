public import AppleIDEmulator
public import AppleIDTypes
import HTTPTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The emulator's own clock, which counts from the clock that the emulator was given. With a ``TestClock``, move that one
/// instead, and both ends have the same time. Move the emulator's alone to see what happens if Apple's clock differs from yours.
@available(siwaServer 1.0, *)
extension Emulator {
    /// Returns the emulator's time.
    public func time() async throws -> Date { try await controlled(.get, "/emulator/clock", as: Clock.self).date }

    /// Sets the emulator's time.
    /// - Parameter time: whole seconds are used.
    /// - Throws: ``ControlRefused`` for a time before 1970 or after the year 9999.
    public func setTime(_ time: Date) async throws {
        try await control(
            .post, "/emulator/clock", ["now": Member(number: Int(time.timeIntervalSince1970.rounded(.down)))])
    }

    /// Moves the emulator's time forward, or back for a negative duration. Codes, secrets and tokens age by it.
    /// - Parameter duration: whole seconds are used.
    public func advance(by duration: Duration) async throws {
        try await control(.post, "/emulator/clock", ["advance": Member(number: Int(duration.components.seconds))])
    }

    /// Stops the emulator's clock, or lets it run on.
    public func freezeTime(_ isFrozen: Bool = true) async throws {
        try await control(.post, "/emulator/clock", ["frozen": Member(flag: isFrozen)])
    }

    /// Goes back to the time of the clock that the emulator was given.
    public func resetTime() async throws {
        try await control(.post, "/emulator/clock", ["reset": Member(flag: true)])
    }

    private struct Clock: Decodable {
        let now: Int64

        var date: Date { Date(timeIntervalSince1970: TimeInterval(now)) }
    }
}

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

    /// Returns what the emulator does where Apple leaves it open.
    public func behaviour() async throws -> Behaviour {
        guard
            let behaviour = try await controlled(.get, "/emulator/behaviour", as: [String: Behaviour].self)["behaviour"]
        else { throw ControlRefused(code: "no_behaviour", message: "The response has no behaviour.") }
        return behaviour
    }

    /// Sets what the emulator does where Apple leaves it open.
    public func setBehaviour(_ behaviour: Behaviour) async throws {
        try await control(.post, "/emulator/behaviour", ["behaviour": Member(value: behaviour)])
    }

    /// Returns the names of the quirks that are on.
    public func quirks() async throws -> [String] {
        try await controlled(.get, "/emulator/quirks", as: [String: [String]].self)["quirks"] ?? []
    }

    /// Turns the named quirks on, and all others off.
    /// - Throws: ``ControlRefused`` for an unknown name.
    public func setQuirks(_ names: [String]) async throws {
        try await control(.post, "/emulator/quirks", ["quirks": Member(texts: names)])
    }

    /// Returns the emulator's whole state: portal, people's consents, keys, codes and tokens.
    public func snapshot() async throws -> TestSnapshot {
        TestSnapshot(bytes: try await control(.get, "/emulator/snapshot"))
    }

    /// Puts a snapshot in the place of the state. The addresses of this emulator and the clock stay.
    /// - Throws: ``ControlRefused`` if the snapshot is none, or of another version.
    public func restore(_ snapshot: TestSnapshot) async throws {
        try await control(.post, "/emulator/snapshot", snapshot.bytes)
    }
}

/// The identifiers of the emulator's keys for tokens.
public struct TestSigningKeys: Hashable, Sendable, Decodable {
    /// The key that signs.
    public let signing: KeyID
    /// All published keys, the signing one first.
    public let published: [KeyID]
}

/// The state of an emulator. It holds private keys and tokens, so its description doesn't show them.
public struct TestSnapshot: Hashable, Sendable, CustomStringConvertible {
    /// The state as JSON, to be kept in a file.
    public let bytes: [UInt8]

    /// Makes a snapshot of the bytes of another one.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The size only.
    public var description: String { "TestSnapshot(\(bytes.count) bytes)" }
}
