import StrictJSON

/// A value of a JSON file, with the way to it for an error.
struct PlacedValue {
    let value: JSONValue
    /// Empty for the whole file.
    let place: String

    /// Reads a file.
    init(file bytes: [UInt8]) throws(WellKnownFileError) {
        guard !bytes.isEmpty else { throw WellKnownFileError(.empty, "is empty") }
        do {
            value = try JSONDocument(bytes, limits: JSONLimits(maximumBytes: WellKnownFile.maximumBytes)).root
        } catch {
            throw WellKnownFileError(.notJSON, "is not JSON: \(error)")
        }
        place = ""
    }

    private init(_ value: JSONValue, _ place: String) {
        self.value = value
        self.place = place
    }

    /// A member of an object; nil if it isn't there.
    func member(_ name: String) -> Self? {
        value[name].map { Self($0, place.isEmpty ? name : "\(place).\(name)") }
    }

    /// A member of an object that must be there.
    func required(_ name: String, _ what: String) throws(WellKnownFileError) -> Self {
        guard let member = member(name) else {
            throw WellKnownFileError(.missing, at: place, "has no `\(name)`: \(what)")
        }
        return member
    }

    /// The value itself, if it is an object.
    func object(_ what: String = "must be an object") throws(WellKnownFileError) -> Self {
        guard value.kind == .object else { throw WellKnownFileError(.wrongKind, at: place, what) }
        return self
    }

    /// The elements of an array.
    func elements(_ what: String) throws(WellKnownFileError) -> [Self] {
        guard value.kind == .array else { throw WellKnownFileError(.wrongKind, at: place, what) }
        return value.elements.enumerated().map { Self($1, "\(place)[\($0)]") }
    }

    func text() throws(WellKnownFileError) -> String {
        guard let text = value.string else { throw WellKnownFileError(.wrongKind, at: place, "must be a text") }
        return text
    }
}

extension UInt8 {
    var isUppercaseLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    var isLetter: Bool { isUppercaseLetter || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
