/// A package that asks for Apple's module without depending on siwa.
public enum Stranger {
    #if canImport(AuthenticationServices)
        /// Whether the module can be imported here.
        public static let seesAuthenticationServices = true
    #else
        /// Whether the module can be imported here.
        public static let seesAuthenticationServices = false
    #endif
}
