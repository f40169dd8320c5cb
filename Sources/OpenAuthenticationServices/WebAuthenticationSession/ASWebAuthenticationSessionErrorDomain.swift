/// The domain of ``ASWebAuthenticationSessionError`` as an `NSError`.
public let ASWebAuthenticationSessionErrorDomain = "com.apple.AuthenticationServices.WebAuthenticationSession"
