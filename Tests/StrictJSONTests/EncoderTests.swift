import Foundation
import StrictJSON
import Testing

@Suite("Encoder")
struct EncoderTests {
    struct Person: Codable, Equatable {
        struct Name: Codable, Equatable {
            var first: String
            var last: String?
        }

        var id: Int
        var name: Name
        var tags: [String]
        var nothing: [Int] = []
        var score: Double
        var isActive: Bool
        var friends: [Name]
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try StrictJSONEncoder().encode(value), as: UTF8.self)
    }

    @Test("Members are written in the order of encoding, without white space")
    func order() throws {
        let person = Person(
            id: 7, name: .init(first: "J", last: nil), tags: ["a", "b"], score: 1.5, isActive: true,
            friends: [.init(first: "K", last: "L"), .init(first: "M")])
        let expected =
            #"{"id":7,"name":{"first":"J"},"tags":["a","b"],"nothing":[],"score":1.5,"isActive":true,"#
            + #""friends":[{"first":"K","last":"L"},{"first":"M"}]}"#
        #expect(try text(person) == expected)
        #expect(try StrictJSONDecoder().decode(Person.self, from: Array(expected.utf8)) == person)
    }

    @Test("Another JSON reader reads every character back", arguments: 0..<0x180)
    func characters(code: Int) throws {
        let character = try #require(Unicode.Scalar(code))
        let value = ["\(character)": ["a\(character)b\(character)", "\(character)😀"]]
        let bytes = try StrictJSONEncoder().encode(value)
        let read = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: [String]]
        #expect(read == value)
        // Only what has to be is escaped.
        #expect(bytes.contains(UInt8(ascii: "\\")) == (code < 0x20 || character == "\"" || character == "\\"))
    }

    @Test(
        "Each text has one spelling",
        arguments: [
            ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\u{0}\u{1f}\u{7f}", "\"\\u0000\\u001f\u{7f}\""), ("é☃😀", #""é☃😀""#),
        ])
    func escapes(value: String, expected: String) throws {
        #expect(try text(value) == expected)
    }

    @Test("Numbers of every width are read back unchanged")
    func numbers() throws {
        #expect(try text([Int8.min, .max]) == "[-128,127]")
        #expect(try text([Int16.min, .max]) == "[-32768,32767]")
        #expect(try text([Int32.min, .max]) == "[-2147483648,2147483647]")
        #expect(try text([Int64.min, .max]) == "[-9223372036854775808,9223372036854775807]")
        #expect(try text([UInt8.max]) + text([UInt16.max]) + text([UInt32.max]) == "[255][65535][4294967295]")
        #expect(try text([UInt64.max]) + text([UInt.max]) == "[18446744073709551615][18446744073709551615]")
        let numbers = [0, -0.0, 0.1, 1e-300, 1.5e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -1e21]
        let bytes = try StrictJSONEncoder().encode(numbers)
        #expect(try StrictJSONDecoder().decode([Double].self, from: bytes) == numbers)
        #expect(try text([Float(0.1)]) == "[0.1]")
    }

    @Test("Single values, null and optionals are encoded")
    func single() throws {
        #expect(try text(true) == "true")
        #expect(try text(String?.none) == "null")
        #expect(try text([1, nil, 3]) == "[1,null,3]")
        #expect(try text(Optional(Optional("x"))) == #""x""#)
        #expect(try text(Word.second) == #""second""#)
    }

    private enum Word: String, Encodable {
        case second
    }

    @Test("Hand-written containers inside containers are encoded")
    func nested() throws {
        #expect(
            try text(ByHand())
                == #"{"none":null,"object":{"list":[1,{"deep":true},[],2]},"super":"s","named":{"x":0},"last":[null]}"#)
    }

    private struct ByHand: Encodable {
        private enum Key: String, CodingKey { case none, object, list, deep, named, x, last }

        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            try root.encodeNil(forKey: .none)
            var object = root.nestedContainer(keyedBy: Key.self, forKey: .object)
            var list = object.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            var deep = list.nestedContainer(keyedBy: Key.self)
            try deep.encode(true, forKey: .deep)
            _ = list.nestedUnkeyedContainer()
            try list.encode(2)
            var single = root.superEncoder().singleValueContainer()
            try single.encode("s")
            var named = root.superEncoder(forKey: .named).container(keyedBy: Key.self)
            try named.encode(0, forKey: .x)
            var last = root.nestedUnkeyedContainer(forKey: .last)
            try last.encodeNil()
            #expect(last.count == 1)
        }
    }

    @Test("A value that JSON can't express is refused with its path")
    func refused() throws {
        for number in [Double.nan, .infinity, -.infinity] {
            #expect(path(of: ["a": [1, number]]) == ["a", "Index 1"])
            #expect(path(of: ["b": Float(number)]) == ["b"])
        }
        #expect(path(of: [["x": Nothing()]]) == ["Index 0", "x"])
        #expect(path(of: Nothing()) == [])
    }

    private struct Nothing: Encodable {
        func encode(to encoder: any Encoder) {}
    }

    private func path(of value: some Encodable) -> [String]? {
        do {
            _ = try StrictJSONEncoder().encode(value)
            return nil
        } catch EncodingError.invalidValue(_, let context) {
            return context.codingPath.map(\.stringValue)
        } catch {
            return nil
        }
    }
}
