/// Where screens are shown and keys come from.
protocol Surface {
    /// Takes the terminal.
    func open() throws
    mutating func show(_ model: JuiceModel) throws
    /// Gives it back.
    func close()
    /// Sends keys, from a thread of its own, until there are none any more.
    func readKeys(to events: AsyncStream<Event>.Continuation)
}
