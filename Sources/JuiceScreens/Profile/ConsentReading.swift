public import Foundation

/// A text that the person reads before they say whether they agree.
public struct ConsentReading: Hashable, Sendable {
    /// The data that the person would allow the service to keep, in words.
    public internal(set) var purposes: [String]
    /// The paragraphs of each part. A part fits on a page; who has read one goes on to the next.
    public private(set) var parts: [[String]]
    private var index = 0

    /// Ten lines of a usual terminal.
    private static let partLength = 700

    /// - Parameter text: paragraphs, which empty lines separate.
    init(purposes: [String], text: String) {
        self.purposes = purposes
        var parts: [[String]] = []
        var room = 0
        for piece in Self.paragraphs(in: text).flatMap(Self.pieces) {
            if parts.isEmpty || piece.count > room {
                parts.append([])
                room = Self.partLength
            }
            parts[parts.count - 1].append(piece)
            room -= piece.count
        }
        self.parts = parts.isEmpty ? [[]] : parts
    }

    /// Whether the person sees the last part.
    public var isAtEnd: Bool { index == parts.count - 1 }

    mutating func readOn() {
        if !isAtEnd { index += 1 }
    }

    private static func paragraphs(in text: String) -> [String] {
        var paragraphs: [[Substring]] = [[]]
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1] += words }
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    }

    /// Cuts a paragraph that is longer than a part, between words where it has any.
    private static func pieces(of paragraph: String) -> [String] {
        var pieces: [String] = []
        var rest = paragraph[...]
        while rest.count > partLength {
            let head = rest.prefix(partLength)
            let cut = head.lastIndex(of: " ") ?? head.endIndex
            pieces.append(String(rest[..<cut]))
            rest = rest[cut...].drop { $0 == " " }
        }
        return pieces + [String(rest)]
    }
}

extension ConsentReading {
    var blocks: [ScreenBlock] {
        let place: [ScreenBlock] = parts.count > 1 ? [.text("Part \(index + 1) of \(parts.count)", .note)] : []
        let title = "Do you agree that the account service keeps your \(purposes.joined(separator: " and "))?"
        return [.text(title, .title)] + place + [.gap]
            + parts[index].flatMap { [.paragraph($0), .gap] }.dropLast()
    }
}

/// A consent, as the list shows it.
public struct ConsentRow: Hashable, Sendable {
    /// The identifier at the account service.
    public internal(set) var id: String
    /// The data that the service may keep, in words.
    public internal(set) var purpose: String
    /// Whether the consent is to a way in, which goes with it.
    public internal(set) var isToWayIn = false
    /// The version of the text that the person agreed to.
    public internal(set) var textVersion: String
    /// The time at which the person agreed.
    public internal(set) var givenAt: Date
    /// The time at which the person withdrew the consent; nil while it holds.
    public internal(set) var withdrawnAt: Date?
    /// The name of the device on which the person agreed; nil if the service doesn't know it.
    public internal(set) var deviceName: String?
}

extension [ConsentRow] {
    /// The consents that can be withdrawn from the list, with their numbers. There are nine keys for them.
    public var inForce: [(number: Int, row: ConsentRow)] {
        filter { $0.withdrawnAt == nil }.prefix(9).enumerated().map { (number: $0.offset + 1, row: $0.element) }
    }

    func blocks(clock: (Date) -> String) -> [ScreenBlock] {
        guard !isEmpty else { return [.text("You have agreed to nothing.", .plain)] }
        let numbers = Dictionary(inForce.map { ($0.row.id, $0.number) }) { first, _ in first }
        return map { row in
            .value(
                caption: numbers[row.id].map { "Consent \($0)" } ?? (row.withdrawnAt == nil ? "Consent" : "Withdrawn"),
                row.words(clock: clock))
        }
    }
}

extension ConsentRow {
    fileprivate func words(clock: (Date) -> String) -> String {
        "\(purpose), text \(textVersion), agreed at \(clock(givenAt))"
            + (withdrawnAt.map { ", withdrawn at \(clock($0))" } ?? deviceName.map { " on \($0)" } ?? "")
    }

    var withdrawalBlocks: [ScreenBlock] {
        let blocks: [ScreenBlock] = [
            .text("Withdraw your consent?", .title), .gap,
            .text("The account service then removes your \(purpose).", .plain),
        ]
        guard isToWayIn else { return blocks }
        return blocks + [.text("It stays if you could not sign in without it.", .note)]
    }
}
