public import AppleIDEmulator
import HTTPTypes

@available(siwaServer 1.0, *)
extension Emulator {
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
