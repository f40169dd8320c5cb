import AppleID
import AppleIDTypes

/// Makes one account of two that a person has.
///
/// A merge begins with a conflict: an identity can't be linked because it opens another account. The handle of the conflict
/// is the proof of that account, and the session's recent sign-in the proof of the one that remains. The person sees what
/// moves and what is lost, and confirms that. A merge can't be undone.
public struct Merges: Sendable {
    /// How long the sessions of a merged account are told which account has taken its place: as long as an ended
    /// session is remembered.
    public static let retention: Duration = Sweeper.sessionRetention

    let sessions: Sessions
    let store: AccountTransactions
    let texts: ConsentTexts
    let finishing: FinishingWork
    let mail: MailWriter
    let environment: AppleIDEnvironment

    private var now: Timestamp { Timestamp(environment.now()) }

    /// Returns what a merge with the account of a conflict would move and lose. The handle stays as good as it was.
    ///
    /// Throws ``AccountError/Code/requiresRecentLogin``, ``AccountError/Code/handleInvalid`` for a handle that is unknown,
    /// used, too old or of another session or browser, and ``AccountError/Code/accountDisabled``.
    /// - Parameters:
    ///   - handle: The handle of the conflict, whose identity opens the merged account. The session's account remains.
    ///   - browser: The browser that presents the handle, whose link met the conflict; nil for an app.
    public func plan(
        with handle: ConflictHandle, in session: StoredSession, browser: BrowserSecret? = nil
    ) async throws -> MergePlan {
        try session.session.requireRecentSignIn(at: now)
        return try await store.mergePlan(
            handle.hash, of: session.session.id, browser: browser?.hash, currentText: texts.current, at: now)
    }

    /// Merges the account of a conflict into the account of the session: its identities, what Apple gave for them, its
    /// consents and its history move, and the parts of the profile that the session's account lacks. Its sessions end. A
    /// repeated call has the same outcome.
    ///
    /// Throws like ``plan(with:in:browser:)``, ``AccountError/Code/mergeChanged`` if the accounts are not as the person saw them,
    /// ``AccountError/Code/consentRequired`` where a hidden address and data that tell who the person is come together and the
    /// person hasn't agreed to the current text, and ``AccountError/Code/sessionEnded``. Nothing is changed then, and all
    /// but a dead handle can be repeated.
    /// - Parameters:
    ///   - confirmation: The confirmation of the plan that the person has seen.
    ///   - consent: The person's consent to the current text.
    ///   - browser: The browser that presents the handle; nil for an app.
    public func merge(
        with handle: ConflictHandle, confirming confirmation: MergeConfirmation, consent: ConsentGiven?,
        in session: StoredSession, browser: BrowserSecret? = nil, from caller: Caller
    ) async throws -> MergedAccounts {
        try session.session.requireRecentSignIn(at: now)
        let moment = now
        let record = MergeRecord(
            at: moment, session: session.session.id, handle: handle.hash, browser: browser?.hash,
            confirmation: confirmation,
            consent: ConsentIntake(consent, currentText: texts.current, at: moment, environment: environment),
            mailIDs: (0..<3).map { _ in mail.newID(at: moment) }, mail: mail,
            contactMail: ContactMail(
                secret: mail.newLinkSecret(), mailID: mail.newID(at: moment), languages: caller.languages,
                writer: mail),
            caller: caller)
        return try await finishing.perform { [self] in
            let merged = try await store.merge(record)
            for account in [merged.from, merged.account.id] { sessions.bell.notify(account) }
            return merged
        }
    }
}
