import Testing

@testable import StrictJWS

@Suite("Strict base64url")
struct Base64URLTests {
    @Test(
        "The vectors of RFC 4648 §10 decode and encode",
        arguments: [
            ("", ""), ("Zg", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"), ("Zm9vYmE", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ])
    func vectors(text: String, bytes: String) {
        #expect(Base64URL.decode(text) == Array(bytes.utf8))
        #expect(Base64URL.encode(Array(bytes.utf8)) == Array(text.utf8))
    }

    @Test("Every byte sequence decodes to itself after encoding")
    func roundTrip() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count * 11) }
            #expect(Base64URL.decode(Base64URL.encode(bytes).span) == bytes)
        }
        #expect(Base64URL.decode("-_-_") == [0xFB, 0xFF, 0xBF])
    }

    @Test(
        "Padding, foreign characters and impossible lengths are refused",
        arguments: ["Zg==", "Zm8=", "Z", "Zm9vY", "+/+/", "Zm 8", "Zm9v\n", "Zm9é", "Zm.v", "\u{0}AAA", "A\u{FF}"])
    func refused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(
        "Only bytes of the alphabet are accepted, at any of the four places and in an incomplete group",
        arguments: 0..<4)
    func foreignBytes(place: Int) {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for byte in UInt8.min...UInt8.max {
            var whole = Array("AAAAAAAA".utf8)
            whole[place] = byte
            #expect((Base64URL.decode(whole.span) != nil) == alphabet.contains(byte), "\(byte)")
            for count in 2...3 where place < count {
                var part = Array("AAAAAAA".utf8.prefix(4 + count))
                part[4 + place] = byte
                let isLast = place == count - 1
                let value = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
                    .firstIndex(of: byte)
                let isGood = value.map { !isLast || $0 % (count == 2 ? 16 : 4) == 0 } ?? false
                #expect((Base64URL.decode(part.span) != nil) == isGood, "\(byte) among \(count)")
            }
        }
    }

    @Test("Decoding at a place without room writes nothing", arguments: [-1, 1, 2, 99])
    func noRoom(position: Int) {
        var bytes: [UInt8] = [1, 2, 3]
        #expect(!Base64URL.decode(Array("AAAA".utf8).span, into: &bytes, at: position))
        #expect(bytes == [1, 2, 3])
    }

    @Test("Unused bits after the last byte must be zero")
    func trailingBits() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (value, character) in alphabet.enumerated() {
            #expect((Base64URL.decode("A\(character)") != nil) == (value % 16 == 0))
            #expect((Base64URL.decode("AA\(character)") != nil) == (value % 4 == 0))
        }
    }
}
