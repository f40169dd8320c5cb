/// The domain of ``ASAuthorizationError`` as an `NSError`.
public let ASAuthorizationErrorDomain = "com.apple.AuthenticationServices.AuthorizationError"
