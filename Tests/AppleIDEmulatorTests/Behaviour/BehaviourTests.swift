import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Behaviour")
struct BehaviourTests {
    @Test("the table has each field of the struct once")
    func fields() {
        let fields = Mirror(reflecting: Behaviour()).children.compactMap(\.label)
        #expect(BehaviourTable.fields.map(\.name).sorted() == fields.sorted())
    }

    @Test("each line of the table reads and writes its own field, and no other", arguments: BehaviourTable.fields)
    func ownField(field: BehaviourField) throws {
        #expect(field.values.first == field.standard)
        for value in field.values {
            var behaviour = Behaviour()
            #expect(field.set(value, in: &behaviour))
            #expect(field.value(in: behaviour) == value)
            let changed = Mirror(reflecting: behaviour).children.compactMap { child -> String? in
                let standard = Mirror(reflecting: Behaviour()).children.first { $0.label == child.label }
                return "\(child.value)" == standard.map { "\($0.value)" } ? nil : child.label
            }
            #expect(changed == (value == field.standard ? [] : [field.name]))
        }
        var behaviour = Behaviour()
        #expect(!field.set(.word("mood"), in: &behaviour))
        #expect(behaviour == Behaviour())
    }

    @Test("every value but one of each field has a quirk, and every quirk has its own name")
    func quirks() {
        for field in BehaviourTable.fields {
            let named = field.alternatives.map(\.value)
            #expect(named + [field.valueWithoutQuirk] == Array(field.values.dropFirst()) + [field.values[0]])
        }
        #expect(Set(BehaviourTable.quirks).count == BehaviourTable.quirks.count)
    }

    @Test("a call sets the fields that it names, and shows all of them")
    func control() async throws {
        let emulator = try await TestEmulator()
        let names = Set(BehaviourTable.fields.map(\.name))
        let shown = try await emulator.get("/emulator/behaviour").json["behaviour"] as? [String: any Sendable]
        #expect(Set(try #require(shown).keys) == names)

        let change: [String: any Sendable] = ["publishedKeys": "signingKey", "refusesChildren": true]
        let changed = try await emulator.call("/emulator/behaviour", ["behaviour": change])
        #expect(changed.status == 200, "\(changed.text)")
        #expect(try await emulator.get("/emulator/quirks").text == #"{"quirks":["one-key","refuses-children"]}"#)
        _ = try await emulator.call("/emulator/behaviour", ["behaviour": ["refusesChildren": false]])
        #expect(try await emulator.get("/emulator/quirks").text == #"{"quirks":["one-key"]}"#)
    }

    @Test(
        "a call with a field or a value that isn't there is refused, and changes nothing",
        arguments: [
            ["behaviour": ["refusesChildren": true, "mood": true]], ["behaviour": ["publishedKeys": "none"]],
            ["behaviour": ["publishedKeys": true]], ["behaviour": ["refusesChildren": "true"]],
            ["behaviour": ["refusesChildren": true, "codeLifetime": 3] as [String: any Sendable]],
            ["behaviour": [String]()], [:],
        ] as [[String: any Sendable]])
    func refused(_ body: [String: any Sendable]) async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.call("/emulator/behaviour", body)
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_request")
        #expect(try await emulator.get("/emulator/quirks").text == #"{"quirks":[]}"#)
    }

    @Test("a snapshot holds every field, and a missing field gets the value without a quirk")
    func snapshot() throws {
        var behaviour = Behaviour()
        behaviour.tokenType = .lowercase
        behaviour.errorsHaveJunk = true
        let data = try JSONEncoder().encode(behaviour)
        #expect(try JSONDecoder().decode(Behaviour.self, from: data) == behaviour)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: any Sendable])
        #expect(object.count == BehaviourTable.fields.count)
        #expect(try JSONDecoder().decode(Behaviour.self, from: Data("{}".utf8)) == Behaviour(quirks: []))
        for spoilt in [
            #"{"mood":true}"#, #"{"tokenType":"loud"}"#, #"{"tokenType":true}"#, #"{"errorsHaveJunk":"true"}"#,
        ] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Behaviour.self, from: Data(spoilt.utf8)) }
        }
    }
}
