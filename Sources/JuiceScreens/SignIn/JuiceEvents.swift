package import AccountClient
public import Foundation

/// An event that happens to Juice.
package enum Event: Sendable {
    case launched
    case key(Key)
    /// A line was typed where keys are not heard one by one.
    case line(String)
    /// Standard input has ended, so no more keys come.
    case inputEnded
    /// A button of the screen was pressed.
    case pressed(Command)
    /// The person has left a form or a value as it was.
    case left
    /// All fields of a form are filled in.
    case submitted(LoginForm)
    /// A value of the profile was typed.
    case edited(ProfileEdit)
    /// A link from a mail has opened the app.
    case linkOpened(EmailLink)
    /// The app's own controller has asked the person, and the account service is asked now.
    case credentialCame
    /// The window has another size, or was covered: draw it anew.
    case resized
    /// Juice was stopped, and is not any more.
    case woken
    /// The system asks Juice to exit, with this status.
    case terminated(status: Int32)

    /// Something that the person should know once.
    case remarked(String)

    case accountFound(Profile?)
    case lookFailed(LoginNotice)
    case instructed(Instruction)
    case signedIn(Profile)
    case signInEnded(LoginNotice)
    case signedOut(LoginNotice?)
    /// The account service has told more of the person who is signed in.
    case accountChanged(Profile)
    /// The service has ended the session, and not this device.
    case sessionEnded(LoginNotice)

    /// The service told the state of the person's Apple Account; nil when it does not answer, or can't say.
    case appleStateTold(AppleState?)
    case sessionsListed([SessionRow])
    case sessionsFailed(LoginNotice)
    case accountDeleted(LoginNotice)
    /// The account is still there.
    case deletionEnded(LoginNotice)

    case profileUpdated(Profile)
    /// Nothing was changed, or nobody knows.
    case profileFailed(LoginNotice)
    /// The account service wants to know whether the person agrees to a text.
    case consentAsked(ConsentReading)
    case consentsListed([ConsentRow])

    /// Juice has found a saved password on this device while no person is signed in.
    case passwordFound(email: String)
    /// The person has signed in with a password that this device doesn't keep.
    case signedInByPassword(Profile, email: String)
    /// The account service has told what a link from a mail does.
    case linkTold(EmailLink, EmailLinkDetails.Purpose)
    case passwordChanged
    /// The account service wants the password before it deletes the account.
    case passwordNeeded
    case upgraded(Profile)
    /// The person signs in as before.
    case upgradeEnded(LoginNotice)

    case waysInListed([WayIn])
    /// The change is done, and these are the ways in now.
    case waysInChanged([WayIn], LoginNotice)
    /// Nothing was changed, or nobody knows.
    case waysInFailed(LoginNotice)
    /// The Apple Account that the person wanted to add opens another account.
    case conflictFound(SignInHandle)
    /// The person is to say whether two accounts become one.
    case mergePlanned(MergeReading)
    /// The account service wants a proof of the person before this change.
    case proofNeeded(WaysInChange)
}

/// An effect that the model asks for.
package enum Effect: Hashable, Sendable {
    case findAccount
    /// Signs in with a provider; nil for Apple.
    case signIn(OfferedProvider?)
    case cancelSignIn
    case signOut
    /// Asks whether the person still uses Juice with their Apple Account.
    case askAppleState
    case listSessions
    case endSession(id: String)
    case endOtherSessions
    /// - Parameter password: proves that the person is there; nil if they have not been asked for it.
    case deleteAccount(password: TypedText?)
    case cancelDeletion
    case updateProfile(ProfileEdit)
    /// Answers the question that a call waits for: whether the person consents, or wants a merge.
    case answerQuestion(Bool)
    case listConsents
    case withdrawConsent(id: String)
    case logIn(SavedPassword)
    case logInWithSavedPassword
    /// Keeps the password with which the person has just signed in.
    case savePassword
    case createAccount(SavedPassword)
    case resetPassword(email: String)
    case requestLink(email: String)
    case askAboutLink(EmailLink)
    /// Completes a sign-up.
    /// - Parameter email: the address, which a new password needs; nil for the password of the sign-up.
    case finishSignUp(EmailLink, TypedText, email: String?)
    case finishSignIn(EmailLink, email: String)
    case finishReset(EmailLink, TypedText)
    case changePassword(from: TypedText, to: TypedText)
    case upgrade(password: TypedText?, endingOthers: Bool)
    case cancelUpgrade
    case listWaysIn
    /// - Parameter password: proves that the person is there; nil if they have not been asked for it.
    case changeWaysIn(WaysInChange, password: TypedText?)
    case cancelWaysIn
    /// Stops until the shell wakes Juice.
    case suspend
    /// Takes the terminal again.
    case resume
    case exit(status: Int32)
}

/// A step for the person so that a sign-in goes on.
public enum Instruction: Hashable, Sendable {
    /// Nothing yet: the account service is being asked.
    case wait

    /// Sign in in the browser. `isOpen` is false when the person has to open the page.
    case browser(URL, isOpen: Bool)

    /// Type the code on that page, on any device.
    case device(code: String, page: URL, expiresAt: Date)
}
