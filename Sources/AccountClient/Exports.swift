// Apple's client API comes with this module: the system's where there is one, ours elsewhere.
#if canImport(AuthenticationServices) && canImport(Darwin)
    @_exported public import AuthenticationServices
#else
    @_exported public import OpenAuthenticationServices
#endif
