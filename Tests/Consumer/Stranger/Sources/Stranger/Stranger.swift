/// What a package sees that asks for Apple's module without depending on siwa.
public enum Stranger {
    #if canImport(AuthenticationServices)
        public static let seesAuthenticationServices = true
    #else
        public static let seesAuthenticationServices = false
    #endif
}
