public import AppleIDTypes

/// Where accounts live. Every method is an intention and one transaction; all of it or nothing is done.
///
/// Times and identifiers come from the caller. Methods throw ``AccountError``: the codes named at each, and
/// ``AccountError/Code/unavailable`` when the database cannot answer or the outcome of a commit is unknown. A method's
/// work does not stop because the calling task is cancelled.
public protocol AccountStore: NoticeStore {
    /// Notes for whose Apple this store is, if nobody has yet.
    /// - Parameter apple: `apple`, or the URL of an emulator.
    /// - Returns: whose it is: the parameter, or what an earlier start wrote.
    func claim(for apple: String) async throws -> String

    /// Notes from when on user codes are stored under a key, unless an earlier start has noted a moment that is not
    /// later. In a store that no former version has used that is so from the beginning.
    /// - Returns: the moment that holds.
    func userCodesKeyed(from moment: Timestamp) async throws -> Timestamp

    /// Throws ``AccountError/Code/unavailable`` unless the database answers.
    func check() async throws

    // Sign-in

    func insertAttempt(_ attempt: Attempt) async throws

    /// Removes and returns the attempt with this state; nil when there is none. Its age is the caller's to judge.
    func takeAttempt(_ stateHash: TokenHash) async throws -> Attempt?

    /// Keeps a name for (team, subject), in place of one kept before.
    func keepName(_ name: KeptName) async throws

    /// Keeps a name for a person who has none, neither in an account nor kept and not expired, and notes that the token
    /// it came with is used.
    ///
    /// Throws ``AccountError/Code/alreadyUsed`` like ``signIn(_:)``; then nothing is written.
    /// - Returns: whether it is kept. If the person has a name, nothing is written.
    func keepFirstName(_ name: KeptName, spending spent: [Spent], at: Timestamp) async throws -> Bool

    /// The kind of the first of these things that was spent before, its note not yet expired; nil when none was.
    ///
    /// A look before expensive work. What decides is ``signIn(_:)``.
    func firstUsed(among spent: [Spent], at: Timestamp) async throws -> Spent.Kind?

    /// Whether ``signIn(_:)`` takes the person, as far as a transfer between teams is concerned: the person has an
    /// identity, brings no `transfer_sub`, or nobody here is of another team.
    func admits(_ person: SignInRecord.Person) async throws -> Bool

    /// A team, other than the one given, of which somebody has an identity here; nil when there is none.
    func otherTeam(than team: TeamID) async throws -> TeamID?

    /// Signs a person in.
    ///
    /// Throws ``AccountError/Code/transferNotCompleted`` for a new person with a `transfer_sub` where somebody of
    /// another team has an identity; then nothing is written.
    ///
    /// Throws ``AccountError/Code/alreadyUsed`` (its `spent` says which kind) when one of the record's spent things was
    /// spent before and its note has not expired at the record's time; then nothing is written. The account is the one
    /// of identity (apple, team, subject), or new. The parts of the record's name replace the stored ones; where the
    /// record has none, those of a kept name that has not expired and opens. A kept name is used up, unless it does not
    /// open. The Apple token replaces an older one of the same identity and client. The record's former session ends,
    /// and so does every live one of the same browser. Revocations that wait, ordered before what the record proves,
    /// are withdrawn: they would end the new authorization. Their tokens, and codes that waited to be revoked, are the
    /// identity's again, unless the record brings a token of the same client. The record's own code is used up, and its
    /// authorization's result and Apple token are removed; when the code was used before or has expired, that too is
    /// ``AccountError/Code/alreadyUsed``.
    ///
    /// Access at Apple that had ended is granted again, unless Apple issued all that the record brings before it ended:
    /// then ``AccountError/Code/tokenTooOld`` is thrown and nothing is written.
    ///
    /// Throws ``AccountError/Code/accountDisabled`` for a person whose account takes none; then nothing is written.
    func signIn(_ record: SignInRecord) async throws -> SignInOutcome

    /// Refresh tokens of Apple's that are held for an identity, by client.
    func appleTokens(of identity: IdentityID) async throws -> [AppleToken]

    // Accounts

    func accountCount() async throws -> Int

    /// At most `limit` accounts in the order of their ids, after one; nil begins with the oldest.
    func accounts(after id: AccountID?, limit: Int) async throws -> [AccountRecord]

    func account(_ id: AccountID) async throws -> AccountRecord?

    /// Who has this `sub`, in whichever team.
    func accounts(ofSubject subject: Subject) async throws -> [AccountRecord]

    /// The accounts with an identity that has exactly this address, at most 100, oldest first.
    func accounts(ofEmail email: String) async throws -> [AccountRecord]

    /// Refuses sign-ins to an account from now on (``AccountError/Code/accountDisabled``), appends that to the audit
    /// when it was not so before, and ends at most `limit` of its live sessions, like
    /// ``endSessions(of:except:_:limit:)``. Those that are left count as ended too, for as long as it is disabled.
    /// - Returns: how many sessions it ended; nil when there is no such account.
    func disable(_ account: AccountID, _ ending: SessionEnding, limit: Int) async throws -> Int?

    /// Takes sign-ins again, and appends that to the audit when it was not so before. No session from before lives on.
    /// - Returns: false when there is no such account.
    func enable(_ account: AccountID, at: Timestamp, by actor: AuditActor) async throws -> Bool

    // Reauthentication

    /// An account's identities, in the order in which they were added; none when there is no such account.
    func identities(of account: AccountID) async throws -> [Identity]

    /// Renews the freshness of a session.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/alreadyUsed`` and ``AccountError/Code/tokenTooOld`` like
    /// ``signIn(_:)``, ``AccountError/Code/sessionEnded`` unless the session lives, and
    /// ``AccountError/Code/credentialMismatch`` unless the person is the one of the identity that opened it. The
    /// session is proven by a nonce from now on. To the identity it is an authorization like a sign-in, with the same
    /// effect on its tokens, on revocations that wait and on what Apple says of the time before. With a successor the
    /// session ends, like every live one of the successor's browser. Both are appended to the audit.
    /// - Returns: the session that is fresh now.
    func reauthenticate(_ record: Reauthentication) async throws -> Session

    // Authorizations

    /// Writes an authorization, unless its limit is reached or another one has the same user code.
    func insertAuthorization(
        _ authorization: StoredAuthorization, within limit: AuthorizationLimit
    ) async throws -> AuthorizationLimit.Outcome

    func authorization(_ id: AuthorizationID) async throws -> StoredAuthorization?

    /// The one of a device, whatever became of it.
    func authorization(deviceCode hash: TokenHash) async throws -> StoredAuthorization?

    /// The one that handed out this code of ours, and that no sign-in has used yet.
    func authorization(ownCode hash: TokenHash) async throws -> StoredAuthorization?

    /// Looks a typed user code up, and counts it when there is none.
    func tryUserCode(_ trial: UserCodeTrial) async throws -> UserCodeTrial.Outcome

    /// Whether fewer wrong codes than the limit were counted.
    func mayTryCode(_ limit: WrongCodeLimit) async throws -> Bool

    func countWrongCode(_ limit: WrongCodeLimit) async throws

    /// Notes that a person allowed a device, with the attempt at Apple that follows.
    ///
    /// - Returns: false, and nothing was written, unless the authorization is open and nobody in another browser has
    ///   allowed it before.
    func allowAuthorization(_ id: AuthorizationID, by attempt: Attempt, at: Timestamp) async throws -> Bool

    /// Keeps what Apple gave, unless the authorization has ended or expired meanwhile.
    /// - Returns: whether it was kept.
    func finishAuthorization(
        _ id: AuthorizationID, with finish: AuthorizationFinish, browserHash: TokenHash, at: Timestamp
    ) async throws -> Bool

    /// Ends an authorization without a credential, unless it has ended before.
    /// - Parameter browserHash: of the browser that was at Apple; nil leaves what is there.
    /// - Returns: whether it was this call that ended it.
    func failAuthorization(
        _ id: AuthorizationID, _ failure: AuthorizationFailure, browserHash: TokenHash?, at: Timestamp
    ) async throws -> Bool

    /// Ends an authorization that its app has given up, unless it failed or was redeemed before. What a finish brought
    /// is gone, and so is a handle.
    /// - Returns: whether it was this call that ended it.
    func withdrawAuthorization(_ id: AuthorizationID, at: Timestamp) async throws -> Bool

    /// Gives a finished authorization that nobody has redeemed a handle, in place of an earlier one.
    /// - Parameter endedAfter: false for one that ended before.
    func giveHandle(
        _ hash: TokenHash, expiresAt: Timestamp, to id: AuthorizationID, endedAfter: Timestamp
    ) async throws -> Bool

    func redeemAuthorization(_ redemption: AuthorizationRedemption) async throws -> AuthorizationRedemption.Outcome

    // Sessions

    /// The session with its account, ended and expired ones too; nil when there is none. One of a disabled account has
    /// ended (``SessionEndReason/accountDisabled``), here and in what is decided by it, ``rotateSession(_:)`` and
    /// ``accountNews(of:after:at:limit:)`` among them.
    func session(_ id: SessionID) async throws -> StoredSession?

    func rotateSession(_ rotation: SessionRotation) async throws -> SessionRotation.Outcome

    /// Notes that a token of this generation of the session's has been used; a lower one changes nothing.
    func noteUse(of session: SessionID, generation: Int64) async throws

    /// Notes that a live session was used, and until when it now lives.
    func touchSession(_ id: SessionID, usedAt: Timestamp, expiresAt: Timestamp) async throws

    /// The live sessions of an account, newest first: at most `limit` that are older than `before`.
    /// - Parameter before: nil begins with the newest.
    func sessions(
        of account: AccountID, liveAt moment: Timestamp, before: SessionID?, limit: Int
    ) async throws -> [Session]

    /// The network addresses that an account's sessions were opened from between two moments, as the audit has them.
    func signInAddresses(
        of account: AccountID, from: Timestamp, through: Timestamp
    ) async throws -> [SessionID: String]

    /// Ends a session that has not ended, and appends that to the audit and to the account's events, as every end of
    /// a session before its time is.
    /// - Returns: whether it was this call that ended it.
    func endSession(_ id: SessionID, _ ending: SessionEnding) async throws -> Bool

    /// Ends a live session of this account, and appends that to the audit.
    /// - Returns: false, and nothing was written, when it is none or not this account's.
    func endSession(_ id: SessionID, of account: AccountID, _ ending: SessionEnding) async throws -> Bool

    /// Ends at most `limit` live sessions of an account, and appends each end to the audit.
    /// - Returns: how many it ended.
    func endSessions(
        of account: AccountID, except: SessionID?, _ ending: SessionEnding, limit: Int
    ) async throws -> Int

    // Events

    /// What happened to an account after a revision, oldest first, at most `limit` events. Of an account that is gone,
    /// too, for as long as events are kept.
    func accountEvents(of account: AccountID, after revision: Int64, limit: Int) async throws -> [AccountEvent]

    /// What is new to a session after a revision, or with nil nothing but the revision to go on from.
    /// - Parameter at: the moment by which the session is judged to have expired.
    func accountNews(
        of session: Session, after revision: Int64?, at: Timestamp, limit: Int
    ) async throws -> AccountNews

    // Notifications

    /// Keeps a notification and does what it says, in its order; a repeat by `id` is neither kept nor applied.
    ///
    /// In this order: an unknown type or subject is only kept. `accountDeleted` ends access and takes away what is
    /// known of the identity, always. Anything else that happened before the identity's last authorization is outdated.
    /// An end of consent within ``AppleNotification/ownRevokeEcho`` after this service ordered a revocation, or asked
    /// Apple for one, is expected; another ends access: the identity's sessions end, its tokens are dropped, the
    /// account stays. The last end counts. Where ``AppleNotification/deletion`` says so, an end of consent that is
    /// applied deletes the account, if no other identity opens it. Forwarding is noted unless a later word of it came
    /// before. The subject of somebody who has no account is kept as a hash alone.
    func applyNotification(_ notification: AppleNotification) async throws -> NotificationReceipt

    /// The last notifications that came, latest first.
    func appleNotifications(limit: Int) async throws -> [KeptNotification]

    // Credential state

    /// How an Apple identity of an account stands; nil when the account has no such identity.
    func appleStanding(of account: AccountID, identity: IdentityID) async throws -> AppleStanding?

    /// The same by Apple's user id.
    func appleStanding(of account: AccountID, subject: Subject) async throws -> AppleStanding?

    // Daily check

    /// Takes on loan the tokens of a client that are due and on loan to nobody: none while the client's check is
    /// stopped.
    func claimTokenChecks(
        of client: ClientID, at: Timestamp, leasedUntil: Timestamp, limit: Int
    ) async throws -> [TokenCheck]

    /// Notes what came of a check, and when the next is due, unless a sign-in has replaced the token meanwhile: as
    /// ``CheckRules/next(after:due:)`` has it, or ``CheckRules/retry`` later where nothing is known.
    ///
    /// A death waits for ``CheckRules/window``. When ``CheckRules`` finds too many of the client's within that time,
    /// the client's check is stopped and its deaths are forgotten. Deaths that are found while it is stopped count for
    /// nothing.
    func settleTokenCheck(
        _ token: AppleToken, _ result: TokenCheckResult, at: Timestamp
    ) async throws -> TokenCheckSettlement

    /// Forgets the token that has been dead longest, if it was found so before a moment and its client's check is not
    /// stopped, and ends the access of its identity, as an end of consent does. Not so when the person has authorized
    /// the app again: signed in since, or with a later token of another client.
    /// - Returns: nil when there is none.
    func endNextDeadGrant(foundBefore: Timestamp, at: Timestamp) async throws -> DeadGrant?

    func stoppedChecks() async throws -> [CheckStop]

    /// Lets a client's check go on, and appends that to the audit; deaths found before are forgotten.
    /// - Returns: whether it was stopped.
    func resumeChecks(of client: ClientID, at: Timestamp, by actor: AuditActor) async throws -> Bool

    // Revocation

    /// Moves the tokens held for the session's identity into the outbox, to be revoked, with what a code brought; what
    /// a code brings that still waits there is revoked too. If there is any, the identity counts as revoked until the
    /// next authorization, and its account's clients are told.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/alreadyUsed`` like ``signIn(_:)`` and
    /// ``AccountError/Code/sessionEnded`` unless the session lives.
    /// - Returns: how many tokens are to be revoked, or codes to be redeemed for it. With none the person has to remove
    ///   the app by hand, unless Apple is being asked already or the authorization has ended.
    func revoke(_ record: Revocation) async throws -> RevocationOrder

    /// Lets a person's revocations rest that wait and are not being tried.
    func postponeRevocations(of personHash: TokenHash, at: Timestamp, until: Timestamp) async throws

    // Deletion and export

    /// Deletes the session's account with everything that belongs to it; what is to be revoked at Apple goes into the
    /// outbox.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/alreadyUsed`` like ``signIn(_:)`` and
    /// ``AccountError/Code/sessionEnded`` unless the session lives.
    /// - Returns: how many entries of the outbox the deletion waits for; with none it is done.
    func deleteAccount(_ record: AccountDeletion) async throws -> RevocationOrder

    /// Deletes an account that an operator or a rule of the service wishes gone, like ``deleteAccount(_:)``.
    /// - Returns: how many entries of the outbox the deletion waits for; nil when there is no such account.
    func removeAccount(_ removal: AccountRemoval) async throws -> RevocationOrder?

    /// What became of a deletion; nil when there is none, or when it was swept.
    func deletion(_ handleHash: TokenHash) async throws -> Deletion?

    /// All that is held about an account; nil when there is none.
    func exportAccount(_ id: AccountID) async throws -> AccountExport?

    // Outbox

    /// Nothing happens to an entry that is there.
    func insertIntoOutbox(_ entry: OutboxEntry) async throws

    func outboxEntry(_ id: OutboxID) async throws -> OutboxEntry?

    /// Takes waiting entries that are due and that nobody has taken, or only for a time that is over; the longest due
    /// first. Each counts as begun.
    func leaseOutbox(_ lease: OutboxLease) async throws -> [OutboxEntry]

    /// Notes what an attempt came to. An entry that was withdrawn meanwhile stays so unless it is done after all; what
    /// a withdrawn code brought is forgotten. A token that a code has brought is kept, or revoked, even when another
    /// has taken the entry since, or given it up: Apple redeems a code once. It is revoked at once where its person has
    /// wanted that, and after ``OutboxEntry/unusedRest`` where they have no account, and may be about to sign in. What
    /// Apple has given for a code takes the code's place likewise.
    /// - Returns: false, and nothing was written, unless the owner's lease is the last one or what a code brought was
    ///   taken in.
    func settleOutbox(
        _ id: OutboxID, owner: String, _ outcome: OutboxOutcome, at: Timestamp
    ) async throws -> Bool

    /// Takes in a token of Apple's that no sign-in uses, or none yet: the person's identity keeps it. Who has none
    /// here, or wanted it revoked after they authorized it, has it revoked, from `revokingFrom` on, unless they sign in
    /// before. Where a revocation of the token is in the outbox, open or not, nothing happens.
    /// - Parameter revokingFrom: nil leaves a token that is not kept, neither held nor revoked.
    /// - Returns: whether it is kept.
    func keepUnused(
        _ token: AppleToken, of owner: TokenOwner, at: Timestamp, revokingFrom: Timestamp?
    ) async throws -> Bool

    /// Parked entries, oldest first.
    func parkedInOutbox(limit: Int) async throws -> [OutboxEntry]

    /// Lets every parked entry be tried again, now and for as long as a new one, and appends each to the audit.
    /// - Returns: how many there were.
    func retryParked(at: Timestamp, by actor: AuditActor) async throws -> Int

    // Keys

    /// This server's own keys, oldest first.
    func serverKeys() async throws -> [ServerKey]

    /// Inserts those of the keys whose (purpose, state) is not there yet, so that two servers which start at once
    /// agree.
    /// - Returns: all keys then stored, oldest first.
    func insertMissingServerKeys(_ keys: [ServerKey]) async throws -> [ServerKey]

    /// Makes the next key the active one, retires that, inserts a new next one, removes keys that retired long ago, and
    /// appends it to the audit.
    /// - Returns: false, and nothing was written, when the rotation's active key is not the active one any more.
    func rotateServerKeys(_ rotation: ServerKeyRotation) async throws -> Bool

    /// - Returns: how many went.
    func removeServerKeys(retiredBefore moment: Timestamp) async throws -> Int

    /// How many sealed values there are, more or less.
    func sealedCount(in column: SealedColumn) async throws -> Int

    /// At most `limit` sealed values, in the order of their keys, after one; nil begins with the first.
    func sealedValues(in column: SealedColumn, after key: [String]?, limit: Int) async throws -> [SealedValue]

    /// Replaces those of the values that have not changed since they were read.
    /// - Returns: how many were replaced.
    func reseal(_ values: [ResealedValue], in column: SealedColumn) async throws -> Int

    /// The last key set of Apple's that a server fetched, for a start while Apple cannot be reached.
    func appleKeySet() async throws -> KeptKeySet?

    func keepAppleKeySet(_ keySet: KeptKeySet) async throws

    // Housekeeping

    /// Removes at most `limit` rows of each kind whose time is over: attempts, kept names, authorizations, counts of
    /// wrong codes, notifications, entries of the outbox and deletions finished 30 days ago, hooks not seen for
    /// ``HookDelivery/memory`` and their changes, and sessions that ended before `sessionsBefore`.
    /// - Returns: how many rows went.
    func sweep(at: Timestamp, sessionsBefore: Timestamp, limit: Int) async throws -> Int

    /// Looks at the next rows of a table, in the order of its key, and removes those whose time ended at a moment or
    /// before.
    /// - Parameters:
    ///   - last: how far the call before came; nil begins.
    ///   - limit: how many rows are looked at.
    /// - Returns: where to go on, or nil at the end.
    func sweep(
        _ table: WalkedTable, after last: WalkedTable.Row?, endedBy moment: Timestamp, limit: Int
    ) async throws -> WalkedTable.Row?

    // Audit

    /// What happened, newest first: at most `limit` entries that are older than `before`.
    /// - Parameters:
    ///   - account: nil for all accounts, and for what concerns none.
    ///   - before: nil begins with the newest.
    func auditEntries(of account: AccountID?, before: AuditID?, limit: Int) async throws -> [AuditEntry]

    /// Appends what has no row of its own. Whatever has one is appended in its own transaction.
    func append(_ entry: AuditEntry) async throws

    /// Removes at most `limit` entries from before a moment, the oldest.
    /// - Returns: how many went.
    func sweepAudit(before: Timestamp, limit: Int) async throws -> Int
}
