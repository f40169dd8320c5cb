/// One value, or one member's name, on a document's tape.
///
/// A container is followed by what it holds: elements, or names and values in turn. `end` is the index behind all of
/// that, so a reader can step over it.
struct JSONNode: Sendable {
    /// What a node stands for. A member's name is a `string`.
    enum Tag: UInt8 {
        case null
        case bool
        case number
        case string
        case array
        case object
    }

    var tag: Tag
    /// A number without fraction and exponent; a string or name without escapes; a `true`.
    var flag: Bool
    /// Where in the bytes it starts; a string behind its quotation mark.
    var start: UInt32
    /// Bytes of a number or string as written, members or elements of a container.
    var count: UInt32
    var end: UInt32
}
