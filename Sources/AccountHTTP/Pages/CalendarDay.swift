import AccountService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A day in UTC, for people and, in ISO 8601, for programs.
struct CalendarDay {
    let iso: String
    let text: String
    /// The day with three letters of the month.
    let shortText: String

    init(of moment: Timestamp) {
        iso = String(moment.date.formatted(.iso8601).prefix(10))
        let numbers = iso.split(separator: "-").compactMap { Int($0) }
        let month = numbers.count == 3 ? Self.months[(numbers[1] - 1) % 12] : ""
        text = numbers.count == 3 ? "\(numbers[2]) \(month) \(numbers[0])" : iso
        shortText = numbers.count == 3 ? "\(numbers[2]) \(month.prefix(3)) \(numbers[0])" : iso
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}

/// A moment in UTC to the minute, for people and, in ISO 8601 to the second, for the script that localizes it.
struct PageTime {
    let iso: String
    let text: String

    init(_ moment: Timestamp) {
        iso = moment.date.formatted(.iso8601)
        text = "\(CalendarDay(of: moment).shortText), \(iso.dropFirst(11).prefix(5)) UTC"
    }
}
