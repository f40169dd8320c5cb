import Foundation

/// A terminal, file or pipe that takes one line after the other.
struct ListSurface: Surface {
    let settings: TerminalSettings
    private var shown: Screen?
    private var written: [Line] = []

    init(settings: TerminalSettings) {
        self.settings = settings
    }

    func open() {}

    mutating func show(_ model: JuiceModel) throws {
        guard model.screen != shown else { return }
        let lines = ListLayout(symbols: settings.symbols).lines(model.blocks(clock: timeOfDay))
        // What has come to be known of the account is enough where the rest was written just before.
        let news = shown?.isResult == true && model.screen.isResult ? lines.filter { !written.contains($0) } : lines
        (shown, written) = (model.screen, lines)
        try write(settings.frame.list(news))
    }

    func close() {}

    /// A line is a key: the one it begins with, or Return when it is empty.
    func readKeys(to events: AsyncStream<Event>.Continuation) {
        Thread.detachNewThread {
            while let line = readLine() {
                events.yield(.key(line.first { !$0.isWhitespace }.map { .character($0) } ?? .enter))
            }
            events.yield(.inputEnded)
        }
    }
}

extension Screen {
    fileprivate var isResult: Bool {
        if case .result = self { true } else { false }
    }
}
