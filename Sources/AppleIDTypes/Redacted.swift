/// A value that holds secrets or personal data: printed, dumped or interpolated, it shows its type's name and nothing
/// else.
///
/// A conforming type has no code to write. A type that may show a part of itself, such as the kind of an event, has a
/// `description` of its own.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name, unless the type has a description of its own.
    public var description: String { "\(Self.self)(redacted)" }
    /// The value's ``description``.
    public var debugDescription: String { description }
    /// A mirror without children, so that a dump of a value around this one shows nothing of it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
