/// What stands on the buttons where Apple's logo is on Apple's: a mark of our own, a ring with an arrow through it.
///
/// It is no likeness of Apple's logo, so nobody takes a button of the emulator for one of Apple's.
enum ButtonMark {
    /// On a ground of 24 by 24, to be stroked ``stroke`` wide with round ends.
    static let path = "M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19M7 12h10M13 8l4 4l-4 4"
    static let stroke = 2.0

    /// The same for the drawing by points: how far a point is from the lines' middle.
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
