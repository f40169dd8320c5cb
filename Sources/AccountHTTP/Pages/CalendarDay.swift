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

    init(of moment: Timestamp) {
        iso = String(moment.date.formatted(.iso8601).prefix(10))
        let numbers = iso.split(separator: "-").compactMap { Int($0) }
        text = numbers.count == 3 ? "\(numbers[2]) \(Self.months[(numbers[1] - 1) % 12]) \(numbers[0])" : iso
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
