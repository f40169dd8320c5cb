/// How far two clocks may be apart, both ways. Field reports have tokens of Apple's a few seconds in the future.
enum Leeway {
    static let seconds: Int64 = 60
}
