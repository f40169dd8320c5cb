/// What happens to Juice.
enum Event: Sendable {
    case launched
    case key(Key)
    /// Standard input has ended: nobody will press a key any more.
    case inputEnded
    /// The window has another size, or was covered: draw it anew.
    case resized
    /// Juice was stopped, and is not any more.
    case woken
    /// The system asks for an end, with the status to leave.
    case terminated(status: Int32)

    /// Something that the person should know once.
    case remarked(String)

    case accountFound(Profile?)
    case lookFailed(Notice)
    case instructed(Instruction)
    case signedIn(Profile)
    case signInEnded(Notice)
    case signedOut(Notice?)
    /// The account service has told more of whoever is signed in.
    case accountChanged(Profile)
    /// Not by this person here: the service has ended the session.
    case sessionEnded(Notice)

    /// What the service says of the person's Apple Account; nil when it does not answer.
    case appleStateTold(AppleState?)
    case sessionsListed([SessionRow])
    case sessionsFailed(Notice)
    case accountDeleted(Notice)
    /// The account is still there.
    case deletionEnded(Notice)
}
