// The controls, colours and scenes of UIKit that the sample app uses. Where nothing else is said, a declaration is of iOS 13 or
// older.

public import Foundation

#if canImport(UIKit) && !os(watchOS)
    // uikit/uiview/widthanchor, backgroundcolor, ishidden, frame, autoresizingmask, keyboardlayoutguide (iOS 15)
    extension UIView {
        public var widthAnchor: NSLayoutDimension { NSLayoutDimension() }
        public var backgroundColor: UIColor? {
            get { nil }
            set {}
        }
        public var isHidden: Bool {
            get { false }
            set {}
        }
        public var frame: CGRect {
            get { .zero }
            set {}
        }
        public var autoresizingMask: AutoresizingMask {
            get { [] }
            set {}
        }
        @available(iOS 15.0, tvOS 15.0, visionOS 1.0, *)
        public var keyboardLayoutGuide: UIKeyboardLayoutGuide { UIKeyboardLayoutGuide() }

        // uikit/uiview/autoresizingmask-swift.struct
        public struct AutoresizingMask: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            public static var flexibleWidth: AutoresizingMask { AutoresizingMask(rawValue: 1 << 1) }
            public static var flexibleHeight: AutoresizingMask { AutoresizingMask(rawValue: 1 << 4) }
        }
    }
    @available(iOS 15.0, tvOS 15.0, visionOS 1.0, *)
    @preconcurrency @MainActor open class UIKeyboardLayoutGuide: UILayoutGuide {}
    extension UILayoutGuide {
        public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
        public var widthAnchor: NSLayoutDimension { NSLayoutDimension() }
    }

    // uikit/uiviewcontroller/addchild(_:), removefromparent(), willmove(toparent:), didmove(toparent:)
    extension UIViewController {
        public func addChild(_ childController: UIViewController) {}
        public func removeFromParent() {}
        public func willMove(toParent parent: UIViewController?) {}
        public func didMove(toParent parent: UIViewController?) {}
    }

    // uikit/uistackview/axis, spacing
    extension UIStackView {
        public convenience init() { self.init(frame: .zero) }
        public var axis: NSLayoutConstraint.Axis {
            get { .horizontal }
            set {}
        }
        public var spacing: CGFloat {
            get { 0 }
            set {}
        }
    }
    extension NSLayoutConstraint {
        // uikit/nslayoutconstraint/axis
        public enum Axis: Int, Sendable { case horizontal, vertical }
    }
    // uikit/uiscrollview/contentlayoutguide, framelayoutguide
    @preconcurrency @MainActor open class UIScrollView: UIView {
        public convenience init() { self.init(frame: .zero) }
        open var contentLayoutGuide: UILayoutGuide { UILayoutGuide() }
        open var frameLayoutGuide: UILayoutGuide { UILayoutGuide() }
    }

    // uikit/uilabel/font, textcolor, numberoflines; uicontentsizecategoryadjusting
    extension UILabel {
        public convenience init() { self.init(frame: .zero) }
        public var font: UIFont! {
            get { nil }
            set {}
        }
        public var textColor: UIColor! {
            get { nil }
            set {}
        }
        public var numberOfLines: Int {
            get { 1 }
            set {}
        }
        public var adjustsFontForContentSizeCategory: Bool {
            get { false }
            set {}
        }
    }
    // uikit/uibutton/init(type:), settitle(_:for:)
    @preconcurrency @MainActor open class UIButton: UIControl {
        public enum ButtonType: Int, Sendable { case custom, system }
        public convenience init(type buttonType: ButtonType) { self.init(frame: .zero) }
        open func setTitle(_ title: String?, for state: UIControl.State) {}
    }
    extension UIControl {
        // uikit/uicontrol/state-swift.struct
        public struct State: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            public static var normal: State { [] }
        }
    }
    // uikit/uitextfield, uitextinputtraits
    @preconcurrency @MainActor open class UITextField: UIControl {
        public convenience init() { self.init(frame: .zero) }
        open var text: String? {
            get { nil }
            set {}
        }
        open var placeholder: String? {
            get { nil }
            set {}
        }
        open var borderStyle: BorderStyle {
            get { .none }
            set {}
        }
        open var textContentType: UITextContentType! {
            get { nil }
            set {}
        }
        open var isSecureTextEntry: Bool {
            get { false }
            set {}
        }
        open var autocapitalizationType: UITextAutocapitalizationType {
            get { .sentences }
            set {}
        }
        open var autocorrectionType: UITextAutocorrectionType {
            get { .default }
            set {}
        }
        open var keyboardType: UIKeyboardType {
            get { .default }
            set {}
        }
        public enum BorderStyle: Int, Sendable { case none, line, bezel, roundedRect }
    }
    // uikit/uitextcontenttype
    public struct UITextContentType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static var username: UITextContentType { UITextContentType(rawValue: "") }
        public static var password: UITextContentType { UITextContentType(rawValue: "") }
        public static var newPassword: UITextContentType { UITextContentType(rawValue: "") }
        public static var givenName: UITextContentType { UITextContentType(rawValue: "") }
        public static var familyName: UITextContentType { UITextContentType(rawValue: "") }
        public static var emailAddress: UITextContentType { UITextContentType(rawValue: "") }
        public static var telephoneNumber: UITextContentType { UITextContentType(rawValue: "") }
    }
    // uikit/uikeyboardtype
    public enum UIKeyboardType: Int, Sendable {
        case `default` = 0
        case phonePad = 5
        case emailAddress = 7
    }
    // uikit/uitextautocapitalizationtype, uitextautocorrectiontype
    public enum UITextAutocapitalizationType: Int, Sendable { case none, words, sentences, allCharacters }
    public enum UITextAutocorrectionType: Int, Sendable { case `default`, no, yes }

    // uikit/uicolor/label and its like
    open class UIColor: NSObject, @unchecked Sendable {
        public class var label: UIColor { UIColor() }
        public class var secondaryLabel: UIColor { UIColor() }
        public class var systemRed: UIColor { UIColor() }
        @available(tvOS, unavailable)
        public class var systemBackground: UIColor { UIColor() }
    }
    // uikit/uifont/preferredfont(fortextstyle:), textstyle
    open class UIFont: NSObject, @unchecked Sendable {
        public class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont() }
        public struct TextStyle: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            public static var body: TextStyle { TextStyle(rawValue: "") }
            public static var headline: TextStyle { TextStyle(rawValue: "") }
            public static var footnote: TextStyle { TextStyle(rawValue: "") }
            public static var caption1: TextStyle { TextStyle(rawValue: "") }
            public static var title1: TextStyle { TextStyle(rawValue: "") }
        }
    }

    // uikit/uiwindow/init(windowscene:), makekeyandvisible()
    extension UIWindow {
        public convenience init(windowScene: UIWindowScene) { self.init(frame: .zero) }
        public func makeKeyAndVisible() {}
    }
    // uikit/uiscenedelegate, uiwindowscenedelegate: all methods are optional
    @preconcurrency @MainActor public protocol UISceneDelegate: NSObjectProtocol {}
    @preconcurrency @MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {}
    // uikit/uiscenesession, uiscene/connectionoptions
    @preconcurrency @MainActor open class UISceneSession: NSObject {}
    extension UIScene {
        @preconcurrency @MainActor open class ConnectionOptions: NSObject {
            open var userActivities: Set<NSUserActivity> { [] }
        }
    }
    // foundation/nsuseractivity/webpageurl
    open class NSUserActivity: NSObject {
        open var webpageURL: URL? { nil }
    }

    extension UIApplication {
        // uikit/uiapplication/delegate
        public var delegate: (any UIApplicationDelegate)? { nil }
    }
    extension UIApplicationDelegate {
        // uikit/uiapplicationdelegate/main()
        public static func main() {}
    }
#endif
