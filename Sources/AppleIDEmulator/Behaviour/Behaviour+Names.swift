/// The names of quirks, by which the command line and old snapshots choose a behaviour.
extension Behaviour {
    /// Creates the behaviour that a list of quirks stands for.
    ///
    /// - Parameter quirks: names of ``BehaviourTable/quirks``; those of ``BehaviourTable/formerQuirks`` change nothing.
    /// - Throws: ``UnknownQuirk`` for any other name.
    package init(quirks: some Sequence<String>) throws(UnknownQuirk) {
        self.init()
        for field in BehaviourTable.fields { _ = field.set(field.valueWithoutQuirk, in: &self) }
        let names = Set(quirks)
        let known = Set(BehaviourTable.quirks).union(BehaviourTable.formerQuirks)
        if let name = names.subtracting(known).min() { throw UnknownQuirk(name: name) }
        for field in BehaviourTable.fields {
            for alternative in field.alternatives where names.contains(alternative.quirk) {
                _ = field.set(alternative.value, in: &self)
            }
        }
    }

    /// A name that no quirk has.
    package struct UnknownQuirk: Error {
        package let name: String
    }

    /// The names of the quirks that this behaviour shows, in alphabetical order.
    package var quirks: [String] {
        BehaviourTable.fields.flatMap { field in
            field.alternatives.filter { $0.value == field.value(in: self) }.map(\.quirk)
        }.sorted()
    }
}

/// The form of snapshots: an object with each field by name.
extension Behaviour: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// A field that isn't there was added to the table later. It gets the value that no quirk stands for, because that
    /// is what the emulator did when the snapshot was taken.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Name.self)
        for field in BehaviourTable.fields {
            let name = Name(stringValue: field.name)
            let value = try container.decodeIfPresent(BehaviourField.Value.self, forKey: name)
            guard field.set(value ?? field.valueWithoutQuirk, in: &self) else {
                throw DecodingError.dataCorruptedError(forKey: name, in: container, debugDescription: "not a value")
            }
        }
        for name in container.allKeys where !BehaviourTable.fields.contains(where: { $0.name == name.stringValue }) {
            throw DecodingError.dataCorruptedError(forKey: name, in: container, debugDescription: "not a field")
        }
    }

    /// Writes every field, so that a default that changes later changes no snapshot.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for field in BehaviourTable.fields {
            try container.encode(field.value(in: self), forKey: Name(stringValue: field.name))
        }
    }
}
