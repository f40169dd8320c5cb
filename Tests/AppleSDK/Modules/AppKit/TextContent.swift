public import Foundation

// appkit/nstextcontenttype: username and password are of macOS 11, newpassword of macOS 14
public struct NSTextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static var username: NSTextContentType { NSTextContentType(rawValue: "") }
    public static var password: NSTextContentType { NSTextContentType(rawValue: "") }
    @available(macOS 14.0, *)
    public static var newPassword: NSTextContentType { NSTextContentType(rawValue: "") }
}
