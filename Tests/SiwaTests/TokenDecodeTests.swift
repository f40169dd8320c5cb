import Foundation
import Testing

@Suite("siwa token decode")
struct TokenDecodeTests {
    private static func token(_ claims: String, header: String = #"{"alg":"RS256","kid":"k"}"#) -> String {
        let encode = { (text: String) in
            Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
        return encode(header) + "." + encode(claims) + ".AAAA"
    }

    @Test("warns that nothing was verified, and shows times in a readable form")
    func text() throws {
        let result = try Transcript.run(
            ["token", "decode", Self.token(#"{"sub":"s","iat":1614431194,"email":"j@example.com"}"#)])
        #expect(result.status == 0)
        #expect(result.complaints.contains("NOT VERIFIED"))
        #expect(result.output.contains("1614431194  2021-02-27T13:06:34Z"))
        #expect(result.output.contains("j@example.com"))
    }

    @Test("shows a notification's events, a time in milliseconds too")
    func events() throws {
        let token = Self.token(#"{"events":"{\"type\":\"consent-revoked\",\"event_time\":1614431194000}"}"#)
        let result = try Transcript.run(["token", "decode"], input: token)
        #expect(result.output.contains("consent-revoked"))
        #expect(result.output.contains("2021-02-27T13:06:34Z"))
    }

    @Test("prints JSON that says that it is not verified")
    func json() throws {
        let token = Self.token(#"{"sub":"Zoë\u001b 😀","exp":1614431194}"#)
        let result = try Transcript.run(["token", "decode", "--json"], input: token)
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(whole["verified"] as? Bool == false)
        #expect((whole["claims"] as? [String: Any])?["sub"] as? String == "Zoë\u{1B} 😀")
        #expect(whole["times"] as? [String: String] == ["exp": "2021-02-27T13:06:34Z"])
    }

    @Test("prints no control characters of a token")
    func control() throws {
        let result = try Transcript.run(
            ["token", "decode", Self.token(#"{"a\u001b[2J":"\u001b[31m\u202e\u009b","iat":9223372036854775807}"#)])
        #expect(result.status == 0)
        #expect(!result.output.unicodeScalars.contains { [0x1B, 0x9B, 0x202E].contains($0.value) })
    }

    @Test(
        "prints no control characters of nested names and values either",
        arguments: [
            #"{"a":{"\u001b[2J":{"\u202e":"\u009b"}}}"#, #"{"a":[{"\u001b[2J":1},"\u001b"]}"#,
            #"{"events":{"\u001b[2J":{"\u009b":1}}}"#, #"{"events":"{\"\\u001b[2J\":{\"\\u202e\":\"\\u009b\"}}"}"#,
            #"{"aud":"\u001b[2J"}"#,
        ])
    func nested(claims: String) throws {
        for token in [Self.token(claims), Self.token("{}", header: claims)] {
            let result = try Transcript.run(["token", "decode", token])
            #expect(result.status == 0)
            #expect(result.output.contains("?"), "what was taken out is shown to have been there")
            let all = result.output + result.complaints
            #expect(!all.unicodeScalars.contains { [0x1B, 0x9B, 0x202E].contains($0.value) })
        }
    }

    @Test("refuses a text that isn't a token", arguments: ["x", "a.b.c", "..", "e30.e30", "r1.0.abc", "W10.e30.AA"])
    func garbage(text: String) throws {
        let result = try Transcript.run(["token", "decode"], input: text)
        #expect(result.status == 1)
        #expect(result.output.isEmpty && result.complaints.hasPrefix("error: malformed_token: "))
    }
}
