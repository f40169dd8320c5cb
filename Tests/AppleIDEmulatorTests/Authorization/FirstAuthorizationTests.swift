import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Data of the first authorization only")
struct FirstAuthorizationTests {
    private func user(_ answer: [String: any Sendable]) throws -> [String: any Sendable]? {
        guard let text = answer["user"] as? String else { return nil }
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: any Sendable])
    }

    @Test("the user field is a JSON string, at the first authorization and never again")
    func once() async throws {
        let emulator = try await TestEmulator()
        let first = try await emulator.authorize()
        #expect(
            first["user"] as? String
                == #"{"name":{"firstName":"Johnny","lastName":"Appleseed"},"email":"johnny@example.com"}"#)
        let second = try await emulator.authorize()
        #expect(second["user"] == nil)
        let token = try await ReceivedToken(second["id_token"], from: emulator)
        #expect(token["email"] == "johnny@example.com", "the address stays in later tokens")
    }

    @Test("the user field holds only the requested parts", arguments: ["name", "email", "name email", ""])
    func parts(_ scope: String) async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.authorize(["scope": scope])
        let user = try user(answer)
        #expect((user?["name"] != nil) == scope.contains("name"))
        #expect((user?["email"] != nil) == scope.contains("email"))
        #expect((user != nil) == !scope.isEmpty)
        let token = try await ReceivedToken(answer["id_token"], from: emulator)
        #expect((token["email"] != nil) == scope.contains("email"))
    }

    @Test("a scope that was not requested the first time brings nothing later")
    func laterScope() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize(["scope": ""])
        let answer = try await emulator.authorize(["scope": "name email"])
        #expect(answer["user"] == nil)
        #expect(try await ReceivedToken(answer["id_token"], from: emulator)["email"] == nil)
    }

    @Test("apps of a group share the first time; an app apart has its own")
    func groups() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize()
        let grouped = try await emulator.authorize(["clientID": "com.example.juice.mini", "native": true])
        let apart = try await emulator.authorize(["clientID": "com.example.soda", "native": true])
        #expect(grouped["user"] == nil)
        #expect(apart["user"] != nil)
    }

    @Test("a hidden address is a relay address in user field and token, and the token marks it as private")
    func hidden() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.authorize(["hideEmail": true])
        let token = try await ReceivedToken(answer["id_token"], from: emulator)
        let address = try #require(token["email"])
        #expect(address.wholeMatch(of: /[a-z0-9]{10}@privaterelay\.appleid\.com/) != nil)
        #expect(try user(answer)?["email"] as? String == address)
        #expect(token.payload.contains("\"is_private_email\":true"))
        #expect(token.payload.contains("\"email_verified\":true"))
        let later = try await ReceivedToken(emulator.authorize(["hideEmail": false])["id_token"], from: emulator)
        #expect(later["email"] == address, "the choice is made once")
    }

    @Test("is_private_email is absent when the address is shared")
    func shared() async throws {
        let emulator = try await TestEmulator()
        let token = try await ReceivedToken(emulator.authorize()["id_token"], from: emulator)
        #expect(!token.payload.contains("is_private_email"))
        #expect(token.payload.contains("\"nonce_supported\":true"))
    }

    @Test("with a behaviour, the booleans about the address are texts")
    func text() async throws {
        let emulator = try await TestEmulator { $0.behaviour.booleanClaims = .texts }
        let token = try await ReceivedToken(emulator.authorize(["hideEmail": true])["id_token"], from: emulator)
        #expect(token["email_verified"] == "true")
        #expect(token["is_private_email"] == "true")
        #expect(token.payload.contains("\"nonce_supported\":true"))
    }

    @Test("real_user_status comes to devices only, and only the first time")
    func realUserStatus() async throws {
        let emulator = try await TestEmulator()
        let native: [String: any Sendable] = ["clientID": "com.example.juice", "native": true]
        let first = try await ReceivedToken(emulator.authorize(native)["id_token"], from: emulator)
        let second = try await ReceivedToken(emulator.authorize(native)["id_token"], from: emulator)
        let web = try await ReceivedToken(emulator.authorize(["person": "mono"])["id_token"], from: emulator)
        #expect(first.number("real_user_status") == 2)
        #expect(second.number("real_user_status") == nil)
        #expect(web.number("real_user_status") == nil)
    }

    @Test("a test can set real_user_status", arguments: [0, 1, 2] as [Int64])
    func otherStatus(_ status: Int64) async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.authorize([
            "clientID": "com.example.juice", "native": true, "realUserStatus": status,
        ])
        #expect(try await ReceivedToken(answer["id_token"], from: emulator).number("real_user_status") == status)
    }

    @Test("the name is the text that the person typed, even an empty one")
    func editedName() async throws {
        let emulator = try await TestEmulator()
        let typed = try await emulator.authorize(["name": ["firstName": "", "lastName": "<b>\"\\\u{7}"]])
        #expect(try user(typed)?["name"] as? [String: String] == ["firstName": "", "lastName": "<b>\"\\\u{7}"])
        let single = try await emulator.authorize(["person": "mono"])
        #expect(try user(single)?["name"] as? [String: String] == ["firstName": "Mononym", "lastName": ""])
    }
}
