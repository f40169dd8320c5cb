/// What a name server said.
enum TextAnswer: Sendable, Equatable {
    /// Empty when there is no such name, or no such record of it.
    case texts([String])
    /// It did not fit into a datagram: to be asked for again by TCP.
    case truncated
    /// Says nothing about the name.
    case failed(String)
}
