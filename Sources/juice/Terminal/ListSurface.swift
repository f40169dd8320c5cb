import Foundation

/// A terminal, file or pipe that takes one line after the other.
struct ListSurface: Surface {
    let settings: TerminalSettings
    private var shown: Screen?

    init(settings: TerminalSettings) {
        self.settings = settings
    }

    func open() {}

    mutating func show(_ model: JuiceModel) throws {
        guard model.screen != shown else { return }
        shown = model.screen
        let layout = ListLayout(symbols: settings.symbols)
        try write(settings.frame.list(layout.lines(model.blocks(clock: timeOfDay))))
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
