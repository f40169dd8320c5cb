// The part of SwiftUI that a sign-in button needs; Controls.swift has what the sample app adds. Every declaration here is of
// iOS 13 or 14, macOS 10.15 or 11, tvOS 13 or 14, watchOS 6 or 7.

@_exported public import Foundation

// swiftui/view
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: View {
    public var body: Never { fatalError() }
}

// swiftui/viewbuilder
@resultBuilder public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView((repeat each content))
    }
    public static func buildEither<T: View, F: View>(first: T) -> _ConditionalContent<T, F> { _ConditionalContent() }
    public static func buildEither<T: View, F: View>(second: F) -> _ConditionalContent<T, F> { _ConditionalContent() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

// swiftui/emptyview, tupleview, text
public struct EmptyView: View {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}
public struct TupleView<T>: View {
    public nonisolated init(_ value: T) {}
    public var body: Never { fatalError() }
}
public struct _ConditionalContent<TrueContent, FalseContent>: View {
    nonisolated init() {}
    public var body: Never { fatalError() }
}
extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}
public struct Text: View {
    public nonisolated init<S: StringProtocol>(_ content: S) {}
    public var body: Never { fatalError() }
}

// swiftui/vstack/init(alignment:spacing:content:)
public struct VStack<Content: View>: View {
    public nonisolated init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError() }
}
// swiftui/horizontalalignment
public struct HorizontalAlignment: Sendable {
    public static var center: HorizontalAlignment { HorizontalAlignment() }
}

// swiftui/environment, environmentvalues/colorscheme, environmentvalues/isenabled
@propertyWrapper public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}
extension Environment: @unchecked Sendable where Value: Sendable {}
public struct EnvironmentValues: Sendable {
    public init() {}
    public var colorScheme: ColorScheme { .light }
    public var scenePhase: ScenePhase { .active }
}
// swiftui/colorscheme
public enum ColorScheme: Sendable { case light, dark }
// swiftui/scenephase
public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

// swiftui/state
@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) {}
    public init(initialValue value: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}
extension State: @unchecked Sendable where Value: Sendable {}

extension View {
    // swiftui/view/disabled(_:)
    public nonisolated func disabled(_ disabled: Bool) -> some View { EmptyView() }
    // swiftui/view/id(_:)
    public nonisolated func id<ID: Hashable>(_ id: ID) -> some View { EmptyView() }
    // swiftui/view/onappear(perform:), ondisappear(perform:), task(priority:_:)
    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    // swiftui/view/frame(width:height:alignment:)
    public nonisolated func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { EmptyView() }
}
