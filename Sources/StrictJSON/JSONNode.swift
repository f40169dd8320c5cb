/// One value, or one member's name, on a document's tape.
///
/// A container is followed by what it holds: elements, or names and values in turn. `end` is the index behind all of
/// that, so a reader can step over it.
@usableFromInline
struct JSONNode: Sendable {
    /// What a node stands for. A member's name is a `string`.
    @usableFromInline
    enum Tag: UInt8, Sendable {
        case null
        case bool
        case number
        case string
        case array
        case object
    }

    @usableFromInline var tag: Tag
    /// A number without fraction and exponent; a string or name without escapes; a `true`.
    @usableFromInline var flag: Bool
    /// Where in the bytes it starts; a string behind its quotation mark.
    @usableFromInline var start: UInt32
    /// Bytes of a number or string as written, members or elements of a container.
    @usableFromInline var count: UInt32
    @usableFromInline var end: UInt32
}
