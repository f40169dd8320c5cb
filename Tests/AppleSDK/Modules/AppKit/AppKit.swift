// The part of AppKit that sign-in code touches. AppKit re-exports Foundation.

@_exported public import Foundation
@_exported public import ObjectiveC

// appkit/nsresponder
@MainActor open class NSResponder: NSObject {
    public override init() { super.init() }
}

// appkit/nsview
@MainActor open class NSView: NSResponder {
    public init(frame frameRect: NSRect) { super.init() }
    public required init?(coder: NSCoder) { super.init() }
    // appkit/nsview/window
    unowned(unsafe) open internal(set) var window: NSWindow?
    open func addSubview(_ view: NSView) {}
    open func removeFromSuperview() {}
    open var subviews: [NSView] { [] }
    open var bounds: NSRect {
        get { .zero }
        set {}
    }
    open var translatesAutoresizingMaskIntoConstraints: Bool {
        get { true }
        set {}
    }
    open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    // appkit/nsview/intrinsiccontentsize
    open var intrinsicContentSize: NSSize { .zero }
    // appkit/nsview/viewdidchangeeffectiveappearance(), effectiveappearance
    open func viewDidChangeEffectiveAppearance() {}
    open var effectiveAppearance: NSAppearance { NSAppearance() }
}

// appkit/nsappearance/bestmatch(from:)
open class NSAppearance: NSObject {
    open func bestMatch(from appearances: [Name]) -> Name? { nil }
    public struct Name: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static var aqua: Name { Name(rawValue: "") }
        public static var darkAqua: Name { Name(rawValue: "") }
    }
}

// appkit/nslayoutanchor, nslayoutconstraint: not on the main actor, unlike UIKit's
open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { NSLayoutConstraint() }
}
open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}
open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}
open class NSLayoutConstraint: NSObject {
    open class func activate(_ constraints: [NSLayoutConstraint]) {}
}

// appkit/nscontrol/target, action
@MainActor open class NSControl: NSView {
    open weak var target: AnyObject? {
        get { nil }
        set {}
    }
    open var action: Selector? {
        get { nil }
        set {}
    }
    open var isEnabled: Bool {
        get { true }
        set {}
    }
}

// appkit/nswindow
@MainActor open class NSWindow: NSResponder {}

// appkit/nsapplication
@MainActor open class NSApplication: NSResponder {
    public class var shared: NSApplication { NSApplication() }
    open var keyWindow: NSWindow? { nil }
    open var mainWindow: NSWindow? { nil }
    // appkit/nsapplication/didbecomeactivenotification
    public nonisolated class var didBecomeActiveNotification: NSNotification.Name { NSNotification.Name("") }
}
