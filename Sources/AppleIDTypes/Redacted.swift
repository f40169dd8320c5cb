/// A value that holds secrets: printed, dumped or interpolated it shows its type's name and nothing else.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name.
    public var description: String { "\(Self.self)(redacted)" }
    /// The same as ``description``, also where that shows more than the name.
    public var debugDescription: String { description }
    /// Nothing, so that a dump of what holds it shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
