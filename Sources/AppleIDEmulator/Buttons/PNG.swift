/// Writes small images as PNG (ISO/IEC 15948), without compression: a few hundred kilobytes at the most.
enum PNG {
    /// - Parameter points: gray and alpha of each point, row by row.
    static func grayAndAlpha(_ points: [UInt8], side: Int) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(points.count + side)
        for row in 0..<side {
            rows.append(0)
            rows += points[row * side * 2..<(row + 1) * side * 2]
        }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Eight bits a channel, gray with alpha, no interlacing.
        append("IHDR", bytes(UInt32(side)) + bytes(UInt32(side)) + [8, 4, 0, 0, 0], to: &file)
        append("IDAT", stored(rows), to: &file)
        append("IEND", [], to: &file)
        return file
    }

    private static func append(_ type: String, _ content: [UInt8], to file: inout [UInt8]) {
        let checked = Array(type.utf8) + content
        file += bytes(UInt32(content.count)) + checked + bytes(checksum(checked))
    }

    /// The zlib format (RFC 1950) with stored blocks (RFC 1951, section 3.2.4).
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = content[...]
        while !rest.isEmpty {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            for value in [length, ~length] { stream += [UInt8(value & 0xFF), UInt8(value >> 8)] }
            stream += block
        }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in content {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + bytes(b << 16 | a)
    }

    private static func checksum(_ content: [UInt8]) -> UInt32 {
        ~content.reduce(0xFFFF_FFFF) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
    }
}
