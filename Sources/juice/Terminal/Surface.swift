import CommandIO
import Foundation
import JuiceScreens

/// A place that shows screens and sends keys.
protocol Surface {
    /// Takes the terminal.
    func open() throws
    mutating func show(_ model: JuiceModel) throws
    /// Gives it back.
    func close()
    /// Sends keys, from a thread of its own, until there are none any more.
    func readKeys(to events: AsyncStream<Event>.Continuation)
}

/// A terminal that shows one screen over the other.
struct PageSurface: Surface {
    let settings: TerminalSettings

    /// The bytes of one key arrive together; what follows an Esc later than this is another key.
    private static let escapeDelay: Int32 = 50

    func open() throws {
        TerminalDevice.restoreOnCrash()
        guard TerminalDevice.enterRawMode() else { throw Failure("the terminal cannot be set up") }
        try write(TerminalDevice.entering)
    }

    func show(_ model: JuiceModel) throws {
        let size = TerminalDevice.size ?? .usual
        let layout = PageLayout(symbols: settings.symbols, width: size.columns, height: size.rows)
        try write(settings.renderer.page(layout.lines(model.blocks(clock: timeOfDay), focus: model.focus)))
    }

    func close() {
        TerminalDevice.restore()
    }

    func readKeys(to events: AsyncStream<Event>.Continuation) {
        Thread.detachNewThread {
            var decoder = KeyDecoder()
            while let bytes = TerminalDevice.bytes(within: decoder.isAfterEscape ? Self.escapeDelay : nil) {
                let keys = bytes.isEmpty ? decoder.endOfBytes() : decoder.decode(bytes)
                for key in keys { events.yield(.key(key)) }
            }
            events.yield(.inputEnded)
        }
    }
}

/// A terminal, file or pipe that takes one line after the other.
struct ListSurface: Surface {
    let settings: TerminalSettings
    private var shown: JuiceScreen?
    private var written: [StyledLine] = []

    init(settings: TerminalSettings) {
        self.settings = settings
    }

    func open() {}

    mutating func show(_ model: JuiceModel) throws {
        guard model.screen != shown else { return }
        let lines = ListLayout(symbols: settings.symbols).lines(model.blocks(clock: timeOfDay))
        // Only the news of the account are written if the rest was written just before.
        let news = shown?.isResult == true && model.screen.isResult ? lines.filter { !written.contains($0) } : lines
        (shown, written) = (model.screen, lines)
        TerminalDevice.showTyping(!model.screen.asksSecret)
        try write(settings.renderer.list(news))
    }

    func close() {
        TerminalDevice.showTyping(true)
    }

    /// A line is a key or a text, as the screen wants it.
    func readKeys(to events: AsyncStream<Event>.Continuation) {
        Thread.detachNewThread {
            while let line = readLine() {
                events.yield(.line(line))
            }
            events.yield(.inputEnded)
        }
    }
}

extension JuiceScreen {
    /// Whether the next line is a password.
    fileprivate var asksSecret: Bool {
        if case .form(let form) = self { form.field.isSecret } else { false }
    }

    fileprivate var isResult: Bool {
        if case .result = self { true } else { false }
    }
}
