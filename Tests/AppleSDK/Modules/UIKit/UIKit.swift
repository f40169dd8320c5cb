// The part of UIKit that sign-in code touches. UIKit re-exports Foundation. In Swift 5 mode the compiler only warns of a use of
// it off the main actor.

@_exported public import Foundation
@_exported public import ObjectiveC

#if canImport(UIKit) && !os(watchOS)
    // uikit/uiresponder
    @preconcurrency @MainActor open class UIResponder: NSObject {
        public override init() { super.init() }
    }

    // uikit/uiview
    @preconcurrency @MainActor open class UIView: UIResponder {
        // uikit/uiview/init(frame:)
        public init(frame: CGRect) { super.init() }
        // uikit/uiview/init(coder:)
        public required init?(coder: NSCoder) { super.init() }
        // uikit/uiview/window
        open var window: UIWindow? { nil }
        // uikit/uiview/traitcollection, tintcolordidchange() and layout are left out: no code of ours uses them
        open var subviews: [UIView] { [] }
        open func addSubview(_ view: UIView) {}
        open func removeFromSuperview() {}
        // uikit/uiview/translatesautoresizingmaskintoconstraints
        open var translatesAutoresizingMaskIntoConstraints: Bool {
            get { true }
            set {}
        }
        // uikit/uiview/intrinsiccontentsize, bounds, frame
        open var intrinsicContentSize: CGSize { .zero }
        open var bounds: CGRect {
            get { .zero }
            set {}
        }
        // uikit/uiview/leadinganchor and its like
        open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
        open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
        open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
        open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
        open var heightAnchor: NSLayoutDimension { NSLayoutDimension() }
        // uikit/uiview/safearealayoutguide
        open var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide() }
        // uikit/uitraitenvironment/traitcollection
        open var traitCollection: UITraitCollection { UITraitCollection() }
        // uikit/uitraitenvironment/traitcollectiondidchange(_:)
        @available(iOS, deprecated: 17.0)
        @available(tvOS, deprecated: 17.0)
        @available(visionOS, deprecated: 1.0)
        open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    }

    // uikit/uitraitcollection/userinterfacestyle
    open class UITraitCollection: NSObject, @unchecked Sendable {
        open var userInterfaceStyle: UIUserInterfaceStyle { .light }
    }
    // uikit/uiuserinterfacestyle
    public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }

    // uikit/uilayoutguide
    @preconcurrency @MainActor open class UILayoutGuide: NSObject {
        open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
        open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
        open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    }

    // uikit/nslayoutanchor
    @preconcurrency @MainActor open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
        // uikit/nslayoutanchor/constraint(equalto:), constraint(equalto:constant:)
        open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { NSLayoutConstraint() }
        open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat) -> NSLayoutConstraint {
            NSLayoutConstraint()
        }
    }
    @preconcurrency @MainActor open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}
    @preconcurrency @MainActor open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}
    @preconcurrency @MainActor open class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
        // uikit/nslayoutdimension/constraint(equaltoconstant:)
        open func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint { NSLayoutConstraint() }
    }
    // uikit/nslayoutconstraint/activate(_:)
    @preconcurrency @MainActor open class NSLayoutConstraint: NSObject {
        open class func activate(_ constraints: [NSLayoutConstraint]) {}
    }

    // uikit/uiwindow
    @preconcurrency @MainActor open class UIWindow: UIView {
        public convenience init() { self.init(frame: .zero) }
        // uikit/uiwindow/rootviewcontroller
        open var rootViewController: UIViewController? {
            get { nil }
            set {}
        }
        // uikit/uiwindow/iskeywindow
        open var isKeyWindow: Bool { false }
    }

    // uikit/uiwindowscene, uiscene: iOS 13, tvOS 13, visionOS 1
    @preconcurrency @MainActor open class UIScene: UIResponder {
        // uikit/uiscene/activationstate-swift.property
        open var activationState: ActivationState { .unattached }
        public enum ActivationState: Int, Sendable {
            case unattached = -1, foregroundActive, foregroundInactive, background
        }
    }
    @preconcurrency @MainActor open class UIWindowScene: UIScene {
        open var windows: [UIWindow] { [] }
        // uikit/uiwindowscene/keywindow: iOS 15, tvOS 15
        open var keyWindow: UIWindow? { nil }
    }

    // uikit/uiviewcontroller
    @preconcurrency @MainActor open class UIViewController: UIResponder {
        public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
        public convenience override init() { self.init(nibName: nil, bundle: nil) }
        public required init?(coder: NSCoder) { super.init() }
        open var view: UIView! {
            get { nil }
            set {}
        }
        open func viewDidLoad() {}
        open func viewDidAppear(_ animated: Bool) {}
        // uikit/uiviewcontroller/present(_:animated:completion:), dismiss(animated:completion:)
        open func present(
            _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
        ) {}
        open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
        open var presentingViewController: UIViewController? { nil }
        // uikit/uiviewcontroller/performsegue(withidentifier:sender:)
        open func performSegue(withIdentifier identifier: String, sender: Any?) {}
        // uikit/uiviewcontroller/modalpresentationstyle, ismodalinpresentation
        open var modalPresentationStyle: UIModalPresentationStyle {
            get { .automatic }
            set {}
        }
        open var isModalInPresentation: Bool {
            get { false }
            set {}
        }
        open var storyboard: UIStoryboard? { nil }
    }
    // uikit/uimodalpresentationstyle
    public enum UIModalPresentationStyle: Int, Sendable {
        case automatic = -2, none = -1, fullScreen = 0, formSheet = 2
    }

    // uikit/uistoryboard
    @preconcurrency @MainActor open class UIStoryboard: NSObject {
        public convenience init(name: String, bundle storyboardBundleOrNil: Bundle?) { self.init() }
        open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
            UIViewController()
        }
    }

    // uikit/uicontrol
    @preconcurrency @MainActor open class UIControl: UIView {
        // uikit/uicontrol/addtarget(_:action:for:)
        open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {}
        // uikit/uicontrol/addaction(_:for:): iOS 14, tvOS 14
        open func addAction(_ action: UIAction, for controlEvents: Event) {}
        open var isEnabled: Bool {
            get { true }
            set {}
        }
        // uikit/uicontrol/event
        public struct Event: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            public static var touchUpInside: Event { Event(rawValue: 1 << 6) }
            public static var primaryActionTriggered: Event { Event(rawValue: 1 << 13) }
        }
    }

    // uikit/uimenuelement
    @preconcurrency @MainActor open class UIMenuElement: NSObject {}
    // uikit/uiactionhandler
    public typealias UIActionHandler = (UIAction) -> Void
    // uikit/uiaction/init(title:image:identifier:discoverabilitytitle:attributes:state:handler:), here with the handler alone
    @preconcurrency @MainActor open class UIAction: UIMenuElement {
        public convenience init(title: String = "", handler: @escaping UIActionHandler) { self.init() }
    }

    // uikit/uistackview
    @preconcurrency @MainActor open class UIStackView: UIView {
        open func addArrangedSubview(_ view: UIView) {}
    }
    // uikit/uilabel
    @preconcurrency @MainActor open class UILabel: UIView {
        open var text: String? {
            get { nil }
            set {}
        }
    }

    // uikit/uialertcontroller, uialertaction
    @preconcurrency @MainActor open class UIAlertController: UIViewController {
        public enum Style: Int, Sendable { case actionSheet, alert }
        public convenience init(title: String?, message: String?, preferredStyle: Style) { self.init() }
        open func addAction(_ action: UIAlertAction) {}
    }
    @preconcurrency @MainActor open class UIAlertAction: NSObject {
        public enum Style: Int, Sendable { case `default`, cancel, destructive }
        public convenience init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) { self.init() }
    }

    // uikit/uiapplication
    @preconcurrency @MainActor open class UIApplication: UIResponder {
        public class var shared: UIApplication { UIApplication() }
        // uikit/uiapplication/connectedscenes
        open var connectedScenes: Set<UIScene> { [] }
        // uikit/uiapplication/didbecomeactivenotification, willenterforegroundnotification
        public nonisolated class var didBecomeActiveNotification: NSNotification.Name { NSNotification.Name("") }
        public nonisolated class var willEnterForegroundNotification: NSNotification.Name { NSNotification.Name("") }
        // uikit/uiapplication/launchoptionskey
        public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
        }
    }
    // uikit/uiapplicationdelegate
    @preconcurrency @MainActor public protocol UIApplicationDelegate: NSObjectProtocol {}

// uikit/uicolor and fonts are left out: Apple draws its button itself
#endif
