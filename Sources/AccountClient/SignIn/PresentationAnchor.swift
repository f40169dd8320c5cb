#if os(watchOS)
    /// The window over which Apple's sheet comes. watchOS has none, so there is no value of it.
    public typealias PresentationAnchor = Never
#elseif canImport(Darwin)
    public import AuthenticationServices

    /// The window over which Apple's sheet comes: a `UIWindow` or an `NSWindow`.
    public typealias PresentationAnchor = ASPresentationAnchor
#else
    public import OpenAuthenticationServices

    /// The window over which Apple's sheet comes. There is none here, so a value stands for nothing.
    public typealias PresentationAnchor = ASPresentationAnchor
#endif
