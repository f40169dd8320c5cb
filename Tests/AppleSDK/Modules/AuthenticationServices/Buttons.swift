// authenticationservices/asauthorizationappleidbutton: not on watchOS

#if canImport(AppKit)
    public import AppKit
    public typealias AppleButtonParent = NSControl
#elseif canImport(UIKit) && !os(watchOS)
    public import UIKit
    public typealias AppleButtonParent = UIControl
#endif

#if canImport(AppKit) || canImport(UIKit) && !os(watchOS)
    @MainActor open class ASAuthorizationAppleIDButton: AppleButtonParent {
        public init(authorizationButtonType type: ButtonType, authorizationButtonStyle style: Style) {
            super.init(frame: .zero)
        }
        public convenience init(type: ButtonType, style: Style) {
            self.init(authorizationButtonType: type, authorizationButtonStyle: style)
        }
        public required init?(coder: NSCoder) { super.init(coder: coder) }
        public convenience init() { self.init(type: .default, style: .black) }

        // authenticationservices/asauthorizationappleidbutton/cornerradius
        @available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
        @available(tvOS, unavailable)
        open var cornerRadius: CGFloat {
            get { 0 }
            set {}
        }

        // authenticationservices/asauthorizationappleidbutton/buttontype
        @nonexhaustive public enum ButtonType: Int, Sendable {
            case signIn, `continue`, signUp
            public static var `default`: ButtonType { .signIn }
        }
        // authenticationservices/asauthorizationappleidbutton/style
        @nonexhaustive public enum Style: Int, Sendable { case white, whiteOutline, black }
    }
#endif
