import Foundation

/// Writes to standard output at once, also where that is a file or a pipe.
func write(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
}

/// Returns a time as the person's clock says it, in hours and minutes; with the day if that is not today.
func timeOfDay(_ date: Date) -> String {
    let calendar = Calendar(identifier: .gregorian)
    let time = date.formatted(
        Date.VerbatimFormatStyle(
            format: "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
            timeZone: .current, calendar: calendar))
    guard !calendar.isDateInToday(date) else { return time }
    let day = date.formatted(
        Date.VerbatimFormatStyle(
            format: "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits)", timeZone: .current,
            calendar: calendar))
    return day + " " + time
}
