import AppleIDTypes
import StrictJSON

/// An object's members, taken one by one. A null counts as absent. A member that nobody takes is an error.
struct Members {
    private let object: JSONValue
    /// The text before the names of its members in messages.
    let path: String
    private var unread: Set<String>

    /// The body of a call.
    init(_ bytes: [UInt8]) throws(Refusal) {
        let root: JSONValue
        do {
            root = try JSONDocument(bytes).root
        } catch {
            throw Refusal(.invalidJSON, "The body is not acceptable JSON: \(error.code) at byte \(error.offset).")
        }
        try self.init(root, path: "")
    }

    init(_ value: JSONValue, path: String) throws(Refusal) {
        guard value.kind == .object else { throw Self.refused(String(path.dropLast()), "must be an object") }
        object = value
        self.path = path
        unread = Set(value.members.map(\.name))
    }

    mutating func value(_ name: String) -> JSONValue? {
        unread.remove(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    mutating func string(_ name: String) throws(Refusal) -> String? {
        guard let value = value(name) else { return nil }
        guard let string = value.string else { throw Self.refused(path + name, "must be a string") }
        return string
    }

    mutating func required(_ name: String) throws(Refusal) -> String {
        guard let string = try string(name) else { throw Self.refused(path + name, "is missing") }
        return string
    }

    mutating func strings(_ name: String) throws(Refusal) -> [String]? {
        guard let value = value(name) else { return nil }
        let strings = value.elements.compactMap(\.string)
        guard value.kind == .array, strings.count == value.count else {
            throw Self.refused(path + name, "must be an array of strings")
        }
        return strings
    }

    /// An array of objects, each with its members; empty when it is absent.
    mutating func objects(_ name: String) throws(Refusal) -> [Members] {
        guard let value = value(name) else { return [] }
        guard value.kind == .array else { throw Self.refused(path + name, "must be an array") }
        var objects: [Members] = []
        for (index, element) in value.elements.enumerated() {
            objects.append(try Members(element, path: "\(path)\(name)[\(index)]."))
        }
        return objects
    }

    mutating func bool(_ name: String) throws(Refusal) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let bool = value.bool else { throw Self.refused(path + name, "must be true or false") }
        return bool
    }

    mutating func number(_ name: String) throws(Refusal) -> Double? {
        guard let value = value(name) else { return nil }
        guard let number = value.double else { throw Self.refused(path + name, "must be a number") }
        return number
    }

    mutating func integer(_ name: String) throws(Refusal) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let integer = value.int64 else { throw Self.refused(path + name, "must be a whole number") }
        return integer
    }

    func checkAllWereRead() throws(Refusal) {
        if let name = unread.min() { throw Self.refused(path + name.prefix(80), "is not a member here") }
    }

    static func refused(_ name: String, _ reason: String) -> Refusal {
        var refusal = Refusal(.invalidRequest, name.isEmpty ? "The body \(reason)." : "\(name) \(reason).")
        refusal.place = name
        return refusal
    }
}

extension Members {
    /// Reads `realUserStatus`, by the framework's numbers.
    mutating func realUserStatus() throws(Refusal) -> RealUserStatus? {
        guard let number = try integer("realUserStatus") else { return nil }
        guard (0...2).contains(number) else { throw Self.refused(path + "realUserStatus", "must be 0, 1 or 2") }
        return RealUserStatus(rawValue: Int(number))
    }
}
