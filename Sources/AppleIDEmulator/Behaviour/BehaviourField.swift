/// One line of ``BehaviourTable``: a field of ``Behaviour`` with its values, the evidence for its default, and the
/// quirks that named its other values before there was a `Behaviour`.
package struct BehaviourField: Sendable {
    /// A value as control calls and snapshots write it.
    package enum Value: Hashable, Sendable {
        case flag(Bool)
        case word(String)
    }

    /// A value beside the default, known by the name of a quirk.
    package struct Alternative: Sendable {
        package let value: Value
        package let quirk: String
        /// A phrase that says what the emulator does with this value.
        package let effect: String
    }

    /// The name of the field in Swift and in control calls.
    package let name: String
    /// All values, the default first.
    package let values: [Value]
    /// A phrase that says what the emulator does by default, and why.
    package let evidence: String
    package let alternatives: [Alternative]
    /// The value that no quirk stands for. Lists of quirks, also in old snapshots, count from here, whatever the
    /// default becomes.
    let valueWithoutQuirk: Value
    private let read: @Sendable (Behaviour) -> Value
    private let write: @Sendable (inout Behaviour, Value) -> Bool

    /// The value that a new ``Behaviour`` has.
    package var standard: Value { read(Behaviour()) }

    func value(in behaviour: Behaviour) -> Value { read(behaviour) }

    /// Sets the field.
    /// - Returns: false for a value that the field can't have; nothing has changed then.
    func set(_ value: Value, in behaviour: inout Behaviour) -> Bool { write(&behaviour, value) }

    /// Creates the line of a field that is on or off, and off by default.
    static func flag(
        _ name: String, _ path: any WritableKeyPath<Behaviour, Bool> & Sendable, quirk: String, _ effect: String,
        evidence: String
    ) -> Self {
        Self(
            name: name, values: [.flag(false), .flag(true)], evidence: evidence,
            alternatives: [Alternative(value: .flag(true), quirk: quirk, effect: effect)],
            valueWithoutQuirk: .flag(false),
            read: { .flag($0[keyPath: path]) },
            write: { behaviour, value in
                guard case .flag(let isOn) = value else { return false }
                behaviour[keyPath: path] = isOn
                return true
            })
    }

    /// Creates the line of a field with several values.
    /// - Parameter others: each value but the default, with its quirk and its effect.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Behaviour, Choice> & Sendable,
        _ others: (value: Choice, quirk: String, effect: String)..., evidence: String
    ) -> Self {
        let standard = Behaviour()[keyPath: path].rawValue
        let words = [standard] + Choice.allCases.map(\.rawValue).filter { $0 != standard }
        return Self(
            name: name, values: words.map { .word($0) }, evidence: evidence,
            alternatives: others.map {
                Alternative(value: .word($0.value.rawValue), quirk: $0.quirk, effect: $0.effect)
            },
            valueWithoutQuirk: .word(standard),
            read: { .word($0[keyPath: path].rawValue) },
            write: { behaviour, value in
                guard case .word(let word) = value, let choice = Choice(rawValue: word) else { return false }
                behaviour[keyPath: path] = choice
                return true
            })
    }
}

/// The form of values in control calls and snapshots: true, false or a word.
extension BehaviourField.Value: Codable, CustomStringConvertible {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = .flag(try container.decode(Bool.self))
        } catch DecodingError.typeMismatch {
            self = .word(try container.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let isOn): try container.encode(isOn)
        case .word(let word): try container.encode(word)
        }
    }

    package var description: String {
        switch self {
        case .flag(let isOn): isOn ? "true" : "false"
        case .word(let word): word
        }
    }
}
