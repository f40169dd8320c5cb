// Apple's name for what OpenAuthenticationServices has, so that an app's `import AuthenticationServices` stays as it
// is.
@_exported public import OpenAuthenticationServices
