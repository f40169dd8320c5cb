/// How many mails an address had on one day.
struct RelayCount: Hashable, Sendable {
    /// As Apple documents it.
    static let maximum = 100

    /// Since 1970, in UTC; Apple does not say when its day begins.
    let day: Int64
    var mails: Int

    static func day(at now: Int64) -> Int64 { now / 86_400 }
}
