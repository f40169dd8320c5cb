import Foundation

/// Writes to standard output at once, also where that is a file or a pipe.
func write(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
}

/// Writes a line for people to standard error.
func complain(_ line: String) {
    // Where not even this can be written, nobody is left to be told.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
}

/// As the clock on the person's wall says it, in hours and minutes; with the day, where that is not today.
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

/// Why Juice could not do its work: what is wrong, and what to type.
struct JuiceFailure: Error, CustomStringConvertible {
    let problem: String
    let hint: String?

    init(_ problem: String, hint: String? = nil) {
        self.problem = problem
        self.hint = hint
    }

    var description: String {
        "error: \(problem)" + (hint.map { "\nhint: \($0)" } ?? "")
    }
}
