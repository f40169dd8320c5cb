// The controls and modifiers of SwiftUI that the sample app uses. Where nothing else is said, a declaration is of iOS 13 to 16,
// macOS 10.15 to 13, tvOS 13 to 16, watchOS 6 to 9, which is older than what the sample asks for.

public import Foundation

#if canImport(AppKit)
    public import AppKit
#elseif canImport(UIKit) && !os(watchOS)
    public import UIKit
#endif

// swiftui/binding, binding/subscript(dynamicmember:)
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    // Not `init()`, which a property wrapper has to offer to all who see the wrapper.
    private init(standIn: Void) {}
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(standIn: ())
    }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
}
extension Binding: @unchecked Sendable where Value: Sendable {}

// swiftui/form, section
public struct Form<Content: View>: View {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
public struct Section<Parent, Content, Footer>: View {
    nonisolated init() {}
    public var body: Never { fatalError() }
}
extension Section where Parent: View, Content: View, Footer: View {
    public nonisolated init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
    ) {
        self.init()
    }
}
extension Section where Parent == EmptyView, Content: View, Footer: View {
    public nonisolated init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) { self.init() }
}
extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    public nonisolated init(@ViewBuilder content: () -> Content) { self.init() }
}
extension Section where Parent == Text, Content: View, Footer == EmptyView {
    public nonisolated init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) { self.init() }
}

// swiftui/textfield/init(_:text:), securefield/init(_:text:)
public struct TextField<Label: View>: View {
    nonisolated init() {}
    public var body: Never { fatalError() }
}
extension TextField where Label == Text {
    public nonisolated init<S: StringProtocol>(_ title: S, text: Binding<String>) { self.init() }
}
public struct SecureField<Label: View>: View {
    nonisolated init() {}
    public var body: Never { fatalError() }
}
extension SecureField where Label == Text {
    public nonisolated init<S: StringProtocol>(_ title: S, text: Binding<String>) { self.init() }
}

// swiftui/button/init(_:action:), init(_:role:action:), buttonrole
public struct Button<Label: View>: View {
    nonisolated init() {}
    public var body: Never { fatalError() }
}
extension Button where Label == Text {
    public nonisolated init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) { self.init() }
    public nonisolated init<S: StringProtocol>(
        _ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) { self.init() }
}
public struct ButtonRole: Equatable, Sendable {
    public static var destructive: ButtonRole { ButtonRole() }
    public static var cancel: ButtonRole { ButtonRole() }
}

// swiftui/labeledcontent
public struct LabeledContent<Label, Content>: View {
    nonisolated init() {}
    public var body: Never { fatalError() }
}
extension LabeledContent where Label: View, Content: View {
    public nonisolated init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) { self.init() }
}
extension LabeledContent where Label == Text, Content == Text {
    public nonisolated init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2) { self.init() }
}

// swiftui/link/init(_:destination:), progressview/init()
public struct Link<Label: View>: View {
    nonisolated init() {}
    public var body: Never { fatalError() }
}
extension Link where Label == Text {
    public nonisolated init<S: StringProtocol>(_ title: S, destination: URL) { self.init() }
}
public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    public var body: Never { fatalError() }
}
extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    public nonisolated init() {}
}

// swiftui/foreach/init(_:id:content:)
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    nonisolated init() {}
}
extension ForEach: View where Content: View {
    public nonisolated init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) { self.init() }
    public var body: Never { fatalError() }
}

// swiftui/scrollview, navigationstack/init(root:)
public struct ScrollView<Content: View>: View {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
public struct NavigationPath: Sendable {}
@MainActor @preconcurrency public struct NavigationStack<Data, Root: View>: View {
    public var body: Never { fatalError() }
}
extension NavigationStack where Data == NavigationPath {
    public nonisolated init(@ViewBuilder root: () -> Root) {}
}

extension HorizontalAlignment {
    public static var leading: HorizontalAlignment { HorizontalAlignment() }
}

// swiftui/shapestyle, color, font
public protocol ShapeStyle: Sendable {}
public struct Color: View, ShapeStyle {
    public static let red = Color()
    public static let secondary = Color()
    public var body: Never { fatalError() }
}
public struct Font: Hashable, Sendable {
    public static let title = Font()
    public static let headline = Font()
    public static let footnote = Font()
}

// swiftui/primitivebuttonstyle, formstyle, textselectability
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}
public struct BorderedButtonStyle: PrimitiveButtonStyle { nonisolated init() {} }
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle { nonisolated init() {} }
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}
@MainActor @preconcurrency public protocol FormStyle {}
public struct GroupedFormStyle: FormStyle { nonisolated init() {} }
extension FormStyle where Self == GroupedFormStyle {
    public static var grouped: GroupedFormStyle { GroupedFormStyle() }
}
public protocol TextSelectability {}
public struct EnabledTextSelectability: TextSelectability {}
extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

extension View {
    // swiftui/view/padding(_:), font(_:), foregroundstyle(_:)
    public nonisolated func padding() -> some View { EmptyView() }
    public nonisolated func font(_ font: Font?) -> some View { EmptyView() }
    public nonisolated func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { EmptyView() }
    // swiftui/view/buttonstyle(_:), formstyle(_:)
    public nonisolated func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { EmptyView() }
    public nonisolated func formStyle<S: FormStyle>(_ style: S) -> some View { EmptyView() }
    // swiftui/view/textselection(_:)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public nonisolated func textSelection<S: TextSelectability>(_ selectability: S) -> some View { EmptyView() }
    // swiftui/view/autocorrectiondisabled(_:), onsubmit(of:_:)
    public nonisolated func autocorrectionDisabled(_ disable: Bool = true) -> some View { EmptyView() }
    public nonisolated func onSubmit(_ action: @escaping () -> Void) -> some View { EmptyView() }
    // swiftui/view/navigationtitle(_:)
    public nonisolated func navigationTitle<S: StringProtocol>(_ title: S) -> some View { EmptyView() }
    // swiftui/view/task(priority:_:)
    public nonisolated func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { EmptyView() }
    // swiftui/view/onchange(of:initial:_:)
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public nonisolated func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void
    ) -> some View { EmptyView() }
    // swiftui/view/onopenurl(perform:)
    public nonisolated func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { EmptyView() }

    // swiftui/view/textcontenttype(_:)
    #if canImport(AppKit)
        public nonisolated func textContentType(_ textContentType: NSTextContentType?) -> some View { EmptyView() }
    #elseif canImport(UIKit) && !os(watchOS)
        public nonisolated func textContentType(_ textContentType: UITextContentType?) -> some View { EmptyView() }
        // swiftui/view/keyboardtype(_:): iOS 13, tvOS 13
        public nonisolated func keyboardType(_ type: UIKeyboardType) -> some View { EmptyView() }
        // swiftui/view/textinputautocapitalization(_:): iOS 15, tvOS 15
        public nonisolated func textInputAutocapitalization(
            _ autocapitalization: TextInputAutocapitalization?
        ) -> some View { EmptyView() }
    #endif
}

#if canImport(UIKit) && !os(watchOS)
    // swiftui/textinputautocapitalization: iOS 15, tvOS 15
    public struct TextInputAutocapitalization: Sendable {
        public static var never: TextInputAutocapitalization { TextInputAutocapitalization() }
    }
#endif
