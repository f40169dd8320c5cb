/// An error with a code for programs and perhaps another error behind it.
///
/// The libraries' error structs have these two in common, and metrics, spans and logs need no more of them. Each struct
/// spells its properties itself: users of a product see them in its documentation, with its own codes.
package protocol CodedError: Error {
    /// The snake_case word of the code, which stays the same for good.
    var codeWord: String { get }
    /// The error behind this one, if any. Its description may hold secrets.
    var cause: (any Error)? { get }
}
