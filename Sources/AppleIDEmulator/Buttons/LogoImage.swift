/// The mark alone on its ground, drawn point by point, as Apple's logo comes as PNG.
struct LogoImage {
    let style: ButtonStyle
    let size: Int

    var png: [UInt8] {
        let side = size * style.scale
        let unit = 1 / Double(style.scale)
        var points: [UInt8] = []
        points.reserveCapacity(side * side * 2)
        for row in 0..<side {
            for column in 0..<side {
                let (x, y) = ((Double(column) + 0.5) * unit, (Double(row) + 0.5) * unit)
                points.append(gray(x, y, unit: unit))
                points.append(Self.byte(coverage(of: ground(x, y), unit: unit)))
            }
        }
        return PNG.grayAndAlpha(points, side: side)
    }

    private func gray(_ x: Double, _ y: Double, unit: Double) -> UInt8 {
        let toMark = 24 / (Double(size) * 0.6)
        let middle = Double(size) / 2
        let mark =
            (ButtonMark.distance((x - middle) * toMark + 12, (y - middle) * toMark + 12) - ButtonMark.stroke / 2)
            / toMark
        var ink = coverage(of: mark, unit: unit)
        if style.hasBorder { ink = max(ink, 1 - coverage(of: ground(x, y) + 1, unit: unit)) }
        return Self.byte(style.color == .black ? ink : 1 - ink)
    }

    /// The distance of a point from the edge of the rounded square; negative inside.
    private func ground(_ x: Double, _ y: Double) -> Double {
        let half = Double(size) / 2
        let radius = min(Double(style.cornerRadius), half)
        let (dx, dy) = (abs(x - half) - half + radius, abs(y - half) - half + radius)
        let (ox, oy) = (max(dx, 0), max(dy, 0))
        return (ox * ox + oy * oy).squareRoot() + min(max(dx, dy), 0) - radius
    }

    /// The share of a pixel that lies inside, by the distance of its middle. It makes edges smooth.
    private func coverage(of distance: Double, unit: Double) -> Double {
        min(max(0.5 - distance / unit, 0), 1)
    }

    private static func byte(_ share: Double) -> UInt8 { UInt8((share * 255).rounded()) }
}

/// The mark on the buttons, in the place of Apple's logo: a ring with an arrow through it.
///
/// It is no likeness of Apple's logo, so nobody takes a button of the emulator for one of Apple's.
enum ButtonMark {
    /// A path on a ground of 24 by 24, to be stroked ``stroke`` wide with round ends.
    static let path = "M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19M7 12h10M13 8l4 4l-4 4"
    static let stroke = 2.0

    /// The distance of a point from the middle of the mark's lines, for the drawing point by point.
    static func distance(_ x: Double, _ y: Double) -> Double {
        let ring = abs(((x - 12) * (x - 12) + (y - 12) * (y - 12)).squareRoot() - 9.5)
        return min(
            ring, distance(x, y, from: (7, 12), to: (17, 12)), distance(x, y, from: (13, 8), to: (17, 12)),
            distance(x, y, from: (17, 12), to: (13, 16)))
    }

    private static func distance(
        _ x: Double, _ y: Double, from a: (x: Double, y: Double), to b: (x: Double, y: Double)
    ) -> Double {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let t = min(max(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy), 0), 1)
        let (px, py) = (x - a.x - t * dx, y - a.y - t * dy)
        return (px * px + py * py).squareRoot()
    }
}

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
