import Foundation

/// A terminal that shows one screen over the other.
struct PageSurface: Surface {
    let settings: TerminalSettings

    /// The bytes of one key arrive together; what follows an Esc later than this is another key.
    private static let escapeDelay: Int32 = 50

    func open() throws {
        TerminalDevice.restoreOnCrash()
        guard TerminalDevice.enterRawMode() else { throw JuiceFailure("the terminal cannot be set up") }
        try write(TerminalDevice.entering)
    }

    func show(_ model: JuiceModel) throws {
        let size = TerminalDevice.size ?? .usual
        let layout = PageLayout(symbols: settings.symbols, width: size.columns, height: size.rows)
        try write(settings.frame.page(layout.lines(model.blocks(clock: timeOfDay), focus: model.focus)))
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
