// Declarations of Apple's module ObjectiveC.

// objectivec/selector
public struct Selector: ExpressibleByStringLiteral, Sendable {
    public init(_ name: String) {}
    public init(stringLiteral value: String) {}
}

/// In place of `#selector`, which needs Apple's runtime.
public func selector<Method>(_ method: Method) -> Selector { Selector("") }

// objectivec/autoreleasepool(invoking:)
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
