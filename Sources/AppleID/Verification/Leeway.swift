/// The maximum difference between this server's clock and Apple's, in both directions.
///
/// Field reports have tokens of Apple's that were issued a few seconds in the future.
enum Leeway {
    static let seconds: Int64 = 60
}
