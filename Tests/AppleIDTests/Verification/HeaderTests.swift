import StrictJSON
import Testing

@testable import AppleID

@Suite("The header as Apple writes it")
struct HeaderTests {
    static let usual = Array(#"{"kid":"TESTKEY001","alg":"RS256"}"#.utf8)

    private func read(_ header: [UInt8]) -> (algorithm: String?, keyID: String?)? {
        TokenHeader(asAppleWritesIt: header, in: header.indices).map { ($0.algorithm.lenient, $0.keyID.lenient) }
    }

    @Test("The header is recognized by its bytes, wherever it stands")
    func usual() throws {
        let bytes = Array("x".utf8) + Self.usual + Array("}".utf8)
        let header = try #require(TokenHeader(asAppleWritesIt: bytes, in: 1..<1 + Self.usual.count))
        #expect(header.algorithm.lenient == "RS256")
        #expect(header.keyID.lenient == "TESTKEY001")
    }

    @Test("A JSON reader reads every recognized header alike, with any byte changed, added or left out")
    func sameAsReader() throws {
        var known = 0
        for header in Self.changed() {
            guard let (algorithm, keyID) = read(header) else { continue }
            known += 1
            let root = try JSONDocument(header).root
            let text = String(decoding: header, as: UTF8.self)
            #expect(root.members.map(\.name) == ["kid", "alg"], "\(text)")
            #expect(root["kid"]?.string == keyID, "\(text)")
            #expect(root["alg"]?.string == algorithm, "\(text)")
        }
        // Another letter or digit for one of ten, one more at eleven places, one less at ten.
        #expect(known == 10 * 61 + 11 * 62 + 10)
    }

    @Test(
        "Any other spelling is left to the JSON reader",
        arguments: [
            "", "{}", #"{"kid":"","alg":"RS256"}"#, #"{"alg":"RS256","kid":"TESTKEY001"}"#,
            #"{"kid": "TESTKEY001","alg":"RS256"}"#, #"{"kid":"TESTKEY001","alg":"RS256","crit":["exp"]}"#,
            #"{"kid":"TESTKEY001","alg":"RS256"} "#, #"{"kid":"TEST\u004bEY001","alg":"RS256"}"#,
            #"{"kid":"K","kid":"L","alg":"RS256"}"#, #"{"kid":"TESTKEY001","alg":"none"}"#,
            #"{"kid":"é","alg":"RS256"}"#,
            #"{"kid":"alg":"RS256"}"#,
        ])
    func others(header: String) {
        #expect(read(Array(header.utf8)) == nil)
    }

    private static func changed() -> [[UInt8]] {
        var headers: [[UInt8]] = []
        for place in usual.indices {
            var header = usual
            for byte in UInt8.min...UInt8.max where byte != usual[place] {
                header[place] = byte
                headers.append(header)
            }
            headers.append(Array(usual[..<place] + usual[(place + 1)...]))
        }
        for place in 0...usual.count {
            var header = usual
            header.insert(0, at: place)
            for byte in UInt8.min...UInt8.max {
                header[place] = byte
                headers.append(header)
            }
        }
        return headers
    }
}
