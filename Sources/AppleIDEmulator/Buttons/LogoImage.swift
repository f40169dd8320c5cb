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

    /// How far outside of the rounded square a point is; negative inside.
    private func ground(_ x: Double, _ y: Double) -> Double {
        let half = Double(size) / 2
        let radius = min(Double(style.cornerRadius), half)
        let (dx, dy) = (abs(x - half) - half + radius, abs(y - half) - half + radius)
        let (ox, oy) = (max(dx, 0), max(dy, 0))
        return (ox * ox + oy * oy).squareRoot() + min(max(dx, dy), 0) - radius
    }

    /// How much of a pixel lies inside, by the distance of its middle: what makes edges smooth.
    private func coverage(of distance: Double, unit: Double) -> Double {
        min(max(0.5 - distance / unit, 0), 1)
    }

    private static func byte(_ share: Double) -> UInt8 { UInt8((share * 255).rounded()) }
}
