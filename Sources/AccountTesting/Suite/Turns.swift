/// Lets so many in at a time and has the others wait, in their order: a server of databases has only so many
/// connections, and tests all begin at once.
package actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(_ count: Int) {
        free = count
    }

    /// Waits for a turn. Whoever has one gives it back with ``end()``, and asks for no second one in the meantime.
    package func begin() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    package func end() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
