// The symbols of Apple's AuthenticationServices that this module lacks, of the part that login pages touch, and why.
// Docs/apple-api.md and Docs/apple-api-passkeys.md have every symbol; a test holds them to the sources and to each other.
//
// On one of Apple's systems alone
//   ASAuthorizationController.customAuthorizationMethods, ASAuthorizationCustomMethod, the delegate's
//   ASAuthorizationControllerDelegate.authorizationController(_:didCompleteWithCustomMethod:), the methods of
//   AuthorizationController with customMethods, and the case customMethod of ASAuthorizationResult: tvOS.
//   WKInterfaceAuthorizationAppleIDButton: watchOS.
//
// Account modification inside an app extension, iOS alone: a password manager changes an account there
//   ASAccountAuthenticationModificationViewController, ASAccountAuthenticationModificationExtensionContext.
//
// Views: there are none off Apple's platforms. AuthenticationServicesTesting has the buttons' initializers
//   ASAuthorizationAppleIDButton and SignInWithAppleButton as views, View.signInWithAppleButtonStyle(_:),
//   WebAuthenticationSession, and the properties of EnvironmentValues that hand it and an AuthorizationController out.
//
// Extensions, which keep data or keys in a passkey
//   The properties largeBlob and prf of ASAuthorizationPlatformPublicKeyCredentialAssertionRequest,
//   ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest, ASAuthorizationPlatformPublicKeyCredentialAssertion and
//   ASAuthorizationPlatformPublicKeyCredentialRegistration. Their types:
//   ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput,
//   ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput,
//   ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput,
//   ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput, ASAuthorizationPublicKeyCredentialPRFAssertionInput,
//   ASAuthorizationPublicKeyCredentialPRFAssertionOutput, ASAuthorizationPublicKeyCredentialPRFRegistrationInput,
//   ASAuthorizationPublicKeyCredentialPRFRegistrationOutput.
//
// For web browsers, which ask in the name of any domain
//   ASAuthorizationWebBrowserPlatformPublicKeyCredentialProvider,
//   ASAuthorizationWebBrowserPlatformPublicKeyCredentialAssertionRequest,
//   ASAuthorizationWebBrowserPlatformPublicKeyCredentialRegistrationRequest,
//   ASAuthorizationWebBrowserSecurityKeyPublicKeyCredentialProvider,
//   ASAuthorizationWebBrowserSecurityKeyPublicKeyCredentialAssertionRequest,
//   ASAuthorizationWebBrowserSecurityKeyPublicKeyCredentialRegistrationRequest,
//   ASAuthorizationWebBrowserPublicKeyCredentialManager, ASAuthorizationWebBrowserExternallyAuthenticatableRequest.
//
// For password managers, and for saving credentials in them
//   ASCredentialProviderViewController, ASCredentialIdentityStore, ASCredentialExportManager, ASCredentialImportManager,
//   ASCredentialDataManager, CredentialDataManager, ASDeliveredVerificationCodesManager.
//
// Types of other frameworks
//   ASAuthorizationSingleSignOnCredential.privateKeys: keys of Security.
