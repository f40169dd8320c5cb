import CommandIO
import Configuration

/// Reads settings, and collects all problems, so that a person can correct them at once.
@available(siwaServer 1.0, *)
struct SettingsReader {
    struct Problem: Hashable, Sendable {
        let setting: Setting
        let problem: String

        var description: String {
            "\(setting.path): \(problem)\n    set \(setting.howToSet)"
        }
    }

    private let config: ConfigReader
    private(set) var problems: [Problem] = []
    /// The settings for which a problem was reported already. No other problem of theirs is reported.
    private var refused: Set<Setting> = []

    init(config: ConfigReader) {
        self.config = config
    }

    mutating func report(_ setting: Setting, _ problem: String) {
        problems.append(Problem(setting: setting, problem: problem))
    }

    /// Reports what is wrong with a file. A setting of a wrong kind is as good as absent from then on, and not missed.
    mutating func report(_ file: SettingsFile) {
        problems += file.unknown + file.wrongKinds
        refused.formUnion(file.wrongKinds.map(\.setting))
    }

    func isRefused(_ setting: Setting) -> Bool { refused.contains(setting) }

    /// A text that may be absent; blank is absent too.
    mutating func text(_ setting: Setting, isSecret: Bool = false) -> String? {
        guard !isRefused(setting) else { return nil }
        if let value = config.string(forKey: setting.key, isSecret: isSecret) {
            let trimmed = value.trimmingWhitespace()
            return trimmed.isEmpty ? nil : trimmed
        }
        if config.int(forKey: setting.key, isSecret: isSecret) != nil
            || config.bool(forKey: setting.key, isSecret: isSecret) != nil
            || config.stringArray(forKey: setting.key, isSecret: isSecret) != nil
        {
            report(setting, "must be a text")
        }
        return nil
    }

    mutating func requiredText(_ setting: Setting, isSecret: Bool = false, what: String) -> String? {
        let before = problems.count
        let value = text(setting, isSecret: isSecret)
        if value == nil, !isRefused(setting), problems.count == before {
            report(setting, "is missing: \(what)")
        }
        return value
    }

    /// One of the words that a setting knows. Nil when absent.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ setting: Setting, of type: Word.Type) -> Word? {
        guard let text = text(setting) else { return nil }
        if let word = Word(rawValue: text) { return word }
        report(setting, "must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        return nil
    }

    /// Several texts, given as a list or separated by commas.
    mutating func texts(_ setting: Setting) -> [String] {
        guard !isRefused(setting) else { return [] }
        if let values = config.stringArray(forKey: setting.key) {
            return values.map { $0.trimmingWhitespace() }.filter { !$0.isEmpty }
        }
        return text(setting)?.split(separator: ",").map { String($0).trimmingWhitespace() } ?? []
    }

    /// Several texts; nil when nothing is said, which an empty list is not.
    mutating func textsIfSet(_ setting: Setting) -> [String]? {
        guard !isRefused(setting) else { return nil }
        let before = problems.count
        let values = texts(setting)
        guard values.isEmpty else { return values }
        return problems.count > before || config.stringArray(forKey: setting.key) != nil ? [] : nil
    }

    /// False when absent.
    mutating func flag(_ setting: Setting) -> Bool {
        guard !isRefused(setting) else { return false }
        if let value = config.bool(forKey: setting.key) { return value }
        if config.string(forKey: setting.key) != nil { report(setting, "must be true or false") }
        return false
    }

    mutating func port(_ setting: Setting, default standard: Int) -> Int { port(setting) ?? standard }

    /// Nil when absent.
    mutating func count(_ setting: Setting, in range: ClosedRange<Int>) -> Int? {
        guard !isRefused(setting) else { return nil }
        if let value = config.int(forKey: setting.key) {
            if range.contains(value) { return value }
        } else if config.string(forKey: setting.key) == nil {
            return nil
        }
        report(setting, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// Nil when absent.
    mutating func port(_ setting: Setting) -> Int? {
        guard !isRefused(setting) else { return nil }
        if let value = config.int(forKey: setting.key) {
            if (0...65_535).contains(value) { return value }
            report(setting, "must be a port number, 0 to 65535")
        } else if config.string(forKey: setting.key) != nil {
            report(setting, "must be a port number, 0 to 65535")
        }
        return nil
    }
}

extension String {
    fileprivate func trimmingWhitespace() -> String {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace })
        else {
            return ""
        }
        return String(self[start...end])
    }
}

extension SettingsReader {
    /// A span of time: a whole number with `m`, `h` or `d` behind it. Nil when absent.
    mutating func span(_ setting: Setting, in range: ClosedRange<Duration>) -> Duration? {
        guard let text = text(setting) else { return nil }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        // Nine digits are more than any range here, and no product of theirs overflows.
        if let unit = text.last.flatMap({ units[$0] }), text.utf8.count <= 10,
            text.utf8.dropLast().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text.dropLast()), range.contains(.seconds(number * unit))
        {
            return .seconds(number * unit)
        }
        report(setting, "must be a span of time from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
        return nil
    }

    private static func text(_ span: Duration) -> String {
        let seconds = span.components.seconds
        if seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
        return seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}

/// Everything that is wrong with the settings of a command. The command doesn't start, and its exit status is 2.
struct SettingsProblems: CommandFailure {
    let problems: [SettingsReader.Problem]
    /// A hint on how to correct the problems, if the command knows more than the settings say.
    var hint: String?

    var isUsage: Bool { true }

    var description: String {
        (problems.map { "error: \($0.description)" } + (hint.map { ["hint: \($0)"] } ?? [])).joined(separator: "\n")
    }
}
