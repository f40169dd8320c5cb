import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("The mark alone, as PNG")
struct LogoImageTests {
    /// A reader of its own, so that the writer is not checked by itself.
    private struct Picture {
        let side: Int
        let rows: [[UInt8]]

        init(_ file: [UInt8]) throws {
            try #require(Array(file.prefix(8)) == [137, 80, 78, 71, 13, 10, 26, 10])
            var chunks: [(type: String, content: [UInt8])] = []
            var rest = file[8...]
            while !rest.isEmpty {
                let length = Self.number(rest.prefix(4))
                let checked = rest.dropFirst(4).prefix(4 + length)
                try #require(Self.number(rest.dropFirst(8 + length).prefix(4)) == Self.checksum(checked))
                chunks.append((String(decoding: checked.prefix(4), as: UTF8.self), Array(checked.dropFirst(4))))
                rest = rest.dropFirst(12 + length)
            }
            try #require(chunks.map(\.type) == ["IHDR", "IDAT", "IEND"])
            let side = Self.number(chunks[0].content[0..<4])
            try #require(Array(chunks[0].content[4...]) == Array(chunks[0].content[0..<4]) + [8, 4, 0, 0, 0])
            var bytes: [UInt8] = []
            var stream = chunks[1].content[2...]
            var isLast = false
            while !isLast {
                isLast = stream.removeFirst() == 1
                let length = Int(stream.removeFirst()) | Int(stream.removeFirst()) << 8
                let inverted = Int(stream.removeFirst()) | Int(stream.removeFirst()) << 8
                try #require(inverted == length ^ 0xFFFF)
                bytes += stream.prefix(length)
                stream = stream.dropFirst(length)
            }
            var sums = (1, 0)
            for byte in bytes { sums = ((sums.0 + Int(byte)) % 65_521, (sums.1 + sums.0 + Int(byte)) % 65_521) }
            try #require(Self.number(stream) == sums.1 << 16 | sums.0)
            self.side = side
            try #require(bytes.count == side * (side * 2 + 1))
            rows = (0..<side).map { Array(bytes[$0 * (side * 2 + 1)..<($0 + 1) * (side * 2 + 1)]) }
            try #require(rows.allSatisfy { $0[0] == 0 })
        }

        func point(_ column: Int, _ row: Int) -> (gray: UInt8, alpha: UInt8) {
            (rows[row][1 + column * 2], rows[row][2 + column * 2])
        }

        private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

        /// CRC-32 by the division itself, without a table.
        private static func checksum(_ bytes: some Sequence<UInt8>) -> Int {
            var sum: UInt32 = 0xFFFF_FFFF
            for byte in bytes {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
            }
            return Int(~sum)
        }
    }

    @Test("it has the requested size", arguments: [(30, 1), (64, 1), (30, 2), (64, 6)])
    func size(_ size: Int, _ scale: Int) throws {
        let image = LogoImage(style: ButtonStyle(scale: scale), size: size)
        #expect(try Picture(image.png).side == size * scale)
    }

    @Test("ground, mark, corners and border have their colours", arguments: [ButtonStyle.Color.black, .white])
    func colours(_ color: ButtonStyle.Color) throws {
        let (ground, ink): (UInt8, UInt8) = color == .black ? (0, 255) : (255, 0)
        let plain = try Picture(
            LogoImage(style: ButtonStyle(color: color, cornerRadius: 10, scale: 2), size: 40).png)
        #expect(plain.point(0, 0).alpha == 0, "the corner is cut")
        #expect(plain.point(40, 1) == (ground, 255))
        #expect(plain.point(40, 40) == (ink, 255), "the arrow goes through the middle")
        let framed = try Picture(
            LogoImage(style: ButtonStyle(color: color, hasBorder: true, cornerRadius: 0, scale: 2), size: 40).png)
        #expect(framed.point(0, 0) == (ink, 255))
        #expect(framed.point(5, 5) == (ground, 255))
    }

    @Test("the endpoint serves such an image")
    func address() async throws {
        let answer = try await TestEmulator().get("/appleid/button/logo")
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "image/png")
    }
}
