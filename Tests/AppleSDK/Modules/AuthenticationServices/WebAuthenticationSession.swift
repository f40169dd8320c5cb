// authenticationservices/aswebauthenticationsession: iOS 12, macOS 10.15, tvOS 16, watchOS 6.2

public import Foundation

open class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void
    // authenticationservices/aswebauthenticationsession/init(url:callbackurlscheme:completionhandler:)
    public init(url: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {}
    open func start() -> Bool { true }
    open func cancel() {}
    #if canImport(AppKit) || canImport(UIKit) && !os(watchOS) && !os(tvOS)
        open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    #endif
    @available(tvOS, unavailable)
    open var prefersEphemeralWebBrowserSession: Bool {
        get { false }
        set {}
    }
}

#if canImport(AppKit) || canImport(UIKit) && !os(watchOS) && !os(tvOS)
    // authenticationservices/aswebauthenticationpresentationcontextproviding
    @MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
    }
#endif
