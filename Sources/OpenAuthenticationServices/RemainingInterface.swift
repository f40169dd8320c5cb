// The symbols of Apple's AuthenticationServices that this module lacks, of the part that Sign in with Apple touches,
// and why. Docs/apple-api.md has every symbol; a test holds both to the sources and to each other.
//
// On one of Apple's systems alone
//   ASAuthorizationController.customAuthorizationMethods, ASAuthorizationCustomMethod and the delegate's
//   ASAuthorizationControllerDelegate.authorizationController(_:didCompleteWithCustomMethod:): tvOS.
//   ASAuthorizationController.performAutoFillAssistedRequests(): iOS, and for passkeys.
//   WKInterfaceAuthorizationAppleIDButton: watchOS.
//
// Account modification, iOS alone: a password manager changes an account there
//   ASAccountAuthenticationModificationController, ASAccountAuthenticationModificationControllerDelegate,
//   ASAccountAuthenticationModificationControllerPresentationContextProviding,
//   ASAccountAuthenticationModificationRequest,
//   ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest,
//   ASAccountAuthenticationModificationUpgradePasswordToStrongPasswordRequest,
//   ASAccountAuthenticationModificationViewController, ASAccountAuthenticationModificationExtensionContext,
//   ASCredentialServiceIdentifier.
//
// Views: there are none off Apple's platforms, so that of the buttons only the values are left
//   ASAuthorizationAppleIDButton and SignInWithAppleButton as views, View.signInWithAppleButtonStyle(_:),
//   AuthorizationController, ASAuthorizationResult, WebAuthenticationSession, and of EnvironmentValues the two
//   that hand them out.
//
// Other kinds of credential
//   ASAuthorizationSingleSignOnCredential, ASAuthorizationSingleSignOnProvider, ASAuthorizationSingleSignOnRequest:
//   enterprise sign-on.
//   ASAuthorizationPlatformPublicKeyCredentialProvider, ASAuthorizationPlatformPublicKeyCredentialAssertion,
//   ASAuthorizationPlatformPublicKeyCredentialRegistration, ASAuthorizationSecurityKeyPublicKeyCredentialProvider,
//   ASAuthorizationSecurityKeyPublicKeyCredentialAssertion, ASAuthorizationSecurityKeyPublicKeyCredentialRegistration,
//   ASAuthorizationAccountCreationProvider, ASAuthorizationAccountCreationPlatformPublicKeyCredential: passkeys. Code
//   that tests canImport(AuthenticationServices) may expect them; a module alias keeps it from finding this module.
