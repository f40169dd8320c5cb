import StrictJSON
import Testing

@Suite("Decoder")
struct DecoderTests {
    struct Person: Decodable, Equatable {
        struct Name: Decodable, Equatable {
            var first: String
            var last: String?
        }

        var id: Int
        var name: Name
        var tags: [String]
        var scores: [String: Double]
        var isActive: Bool
    }

    @Test("Objects, arrays, dictionaries, optionals and nesting decode; unknown members are ignored")
    func decode() throws {
        let text =
            #"{"id":7,"name":{"first":"J","last":null},"tags":["a","b"],"scores":{"x":1.5,"y":2},"isActive":true,"more":[{}]}"#
        let person = try StrictJSONDecoder().decode(Person.self, from: Array(text.utf8))
        #expect(
            person
                == Person(
                    id: 7, name: .init(first: "J", last: nil), tags: ["a", "b"], scores: ["x": 1.5, "y": 2],
                    isActive: true))
    }

    @Test(
        "A fault in the content names its coding path",
        arguments: [
            (#"{"id":7,"name":{"first":5},"tags":[],"scores":{},"isActive":true}"#, "name.first", "typeMismatch"),
            (#"{"id":7,"name":{"first":null},"tags":[],"scores":{},"isActive":true}"#, "name.first", "valueNotFound"),
            (#"{"id":7,"name":{},"tags":[],"scores":{},"isActive":true}"#, "name", "keyNotFound"),
            (
                #"{"id":7,"name":{"first":"J"},"tags":["a",1],"scores":{},"isActive":true}"#, "tags.Index 1",
                "typeMismatch"
            ),
            (
                #"{"id":7,"name":{"first":"J"},"tags":[],"scores":{"x":"1"},"isActive":true}"#, "scores.x",
                "typeMismatch"
            ),
            (#"{"id":7.5,"name":{"first":"J"},"tags":[],"scores":{},"isActive":true}"#, "id", "dataCorrupted"),
            (#"{"id":7,"name":{"first":"J"},"tags":{},"scores":{},"isActive":true}"#, "tags", "typeMismatch"),
            (#"{"id":7,"name":{"first":"J"},"tags":[],"scores":{},"isActive":"true"}"#, "isActive", "typeMismatch"),
            (#"[]"#, "", "typeMismatch"),
        ])
    func codingPath(text: String, path: String, kind: String) throws {
        let error = try #require(throws: DecodingError.self) {
            try StrictJSONDecoder().decode(Person.self, from: Array(text.utf8))
        }
        let found: (String, DecodingError.Context) =
            switch error {
            case .typeMismatch(_, let context): ("typeMismatch", context)
            case .valueNotFound(_, let context): ("valueNotFound", context)
            case .keyNotFound(_, let context): ("keyNotFound", context)
            case .dataCorrupted(let context): ("dataCorrupted", context)
            @unknown default: ("", .init(codingPath: [], debugDescription: ""))
            }
        #expect(found.0 == kind)
        #expect(found.1.codingPath.map(\.stringValue).joined(separator: ".") == path)
    }

    @Test("A fault in the document is a strict error, not a decoding error")
    func strict() {
        #expect(throws: StrictJSONError(.duplicateMember, at: 7)) {
            try StrictJSONDecoder().decode([String: Int].self, from: Array(#"{"a":1,"a":2}"#.utf8))
        }
        #expect(throws: StrictJSONError(.tooLarge, at: 2)) {
            try StrictJSONDecoder(limits: JSONLimits(maximumBytes: 2)).decode([Int].self, from: Array("[1]".utf8))
        }
    }

    @Test("Integers are decoded up to the limits of their type")
    func ranges() throws {
        #expect(try StrictJSONDecoder().decode([UInt8].self, from: Array("[0,255]".utf8)) == [0, 255])
        #expect(try StrictJSONDecoder().decode([UInt64].self, from: Array("[18446744073709551615]".utf8)) == [.max])
        #expect(throws: DecodingError.self) { try StrictJSONDecoder().decode([UInt8].self, from: Array("[256]".utf8)) }
        #expect(throws: DecodingError.self) { try StrictJSONDecoder().decode([Int].self, from: Array("[-9e30]".utf8)) }
    }

    @Test("Arrays of optionals and of arrays decode in order")
    func arrays() throws {
        #expect(try StrictJSONDecoder().decode([Int?].self, from: Array("[1,null,3]".utf8)) == [1, nil, 3])
        #expect(try StrictJSONDecoder().decode([[Int]].self, from: Array("[[1],[],[2,3]]".utf8)) == [[1], [], [2, 3]])
    }

    struct Pair: Decodable {
        var first: Int
        var second: Int

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            first = try container.decode(Int.self)
            second = try container.decode(Int.self)
        }
    }

    @Test("Reading past the end of an array throws an error that names the missing element")
    func pastEnd() throws {
        let error = try #require(throws: DecodingError.self) {
            try StrictJSONDecoder().decode([Pair].self, from: Array("[[1,2],[3]]".utf8))
        }
        guard case .valueNotFound(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["Index 1", "Index 1"])
    }
}
