import AccountAPI
import AccountConnection
import Testing

@testable import AccountClient

@Suite("The machine of a session")
struct SessionMachineTests {
    private let start = ContinuousClock.now

    private func moment(_ seconds: Int = 0) -> Moment {
        Moment(instant: start + .seconds(seconds), secondsSince1970: Int64(seconds), attempt: "attempt-\(seconds)")
    }

    private static let account = AccountBody(
        id: "acc_1", name: nil, email: nil, emailVerified: true, isPrivateEmail: false,
        createdAt: APITime(secondsSince1970: 0))

    private static let stored = StoredRecord(
        session: StoredSession(user: "ada", refreshToken: "refresh-0", account: account))

    private static func answer(_ generation: Int) -> RefreshAnswer {
        RefreshAnswer(
            session: SessionBody(
                accessToken: "access-\(generation)", expiresIn: 600, refreshToken: "refresh-\(generation)"))
    }

    private static let refusal = ServiceError.answered(
        status: 401, code: .sessionEnded, message: "", details: .none)

    /// A machine that has read a session from storage.
    private func signedIn() -> SessionMachine {
        var machine = SessionMachine(deviceName: nil, at: moment())
        _ = machine.handle(.requested(.read, RequestID(number: 0)), at: moment())
        _ = machine.handle(.loaded(.success(Self.stored)), at: moment())
        return machine
    }

    /// The names of effects, and the values that matter.
    private func names(_ effects: [SessionEffect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .load: "load"
            case .save(let record, _, let replacing):
                "save \(record.session.map { "\($0.refreshToken) \($0.attempt ?? "-")" } ?? "nobody")"
                    + (replacing ? " replacing" : "")
            case .refresh(let token, let attempt, _): "refresh \(token) \(attempt)"
            case .explainEnd(let token): "explain \(token)"
            case .endUnused(let token, _, _): "end \(token)"
            case .cancelAuthorization(let id): "cancel \(id.number)"
            case .publish(.signedIn(let account)): "publish \(account.id)"
            case .publish(.signedOut(let reason)): "publish \(reason)"
            case .announceAppleAccessEnded: "announce"
            case .reply(.success(let now), let id): "reply \(id.number) \(now.access?.token ?? "-")"
            case .reply(.failure(let error), let id): "fail \(id.number) \(error.code)"
            }
        }
    }

    private func ask(_ request: SessionRequest, _ number: Int, _ machine: inout SessionMachine) -> [String] {
        names(machine.handle(.requested(request, RequestID(number: number)), at: moment(number)))
    }

    /// Signs the same person in again, with the refresh token `refresh-new`.
    private func signInAgain(_ number: Int, _ machine: inout SessionMachine) {
        let authorization = AuthorizationID(number: 1)
        _ = machine.handle(.authorizationBegan(authorization), at: moment())
        let answer = SignInAnswer(
            account: Self.account,
            session: SessionBody(accessToken: "new", expiresIn: 600, refreshToken: "refresh-new"),
            isNewAccount: false)
        _ = ask(.signIn(answer, user: "ada", authorization), number, &machine)
    }

    @Test("reads storage once, whoever asks, and answers all of them then")
    func firstRead() {
        var machine = SessionMachine(deviceName: nil, at: moment())
        #expect(ask(.read, 1, &machine) == ["load"])
        #expect(ask(.state, 2, &machine) == [])
        #expect(
            names(machine.handle(.loaded(.success(Self.stored)), at: moment()))
                == ["publish acc_1", "reply 1 -", "reply 2 -"])
        #expect(ask(.read, 3, &machine) == ["reply 3 -"])
    }

    @Test("takes an unreadable storage for a state, for an error, or for empty, as each caller needs")
    func unreadable() {
        var machine = SessionMachine(deviceName: nil, at: moment())
        for (number, request) in [SessionRequest.state, .accessToken, .signOut, .read].enumerated() {
            _ = ask(request, number, &machine)
        }
        let error = AccountClientError(.storage, "", cause: SecretStorageError(.failed, ""))
        #expect(
            names(machine.handle(.loaded(.failure(error)), at: moment())) == [
                "publish storageUnreadable", "reply 0 -", "fail 1 storage", "reply 2 -", "publish signedOut",
                "reply 3 -", "save nobody replacing",
            ])
    }

    @Test("renews a token in four steps, once for everybody who asks")
    func refresh() {
        var machine = signedIn()
        #expect(ask(.accessToken, 1, &machine) == ["load"])
        #expect(ask(.accessToken, 2, &machine) == [])
        #expect(
            names(machine.handle(.loaded(.success(Self.stored)), at: moment(7))) == ["save refresh-0 attempt-7"])
        var attempted = Self.stored
        attempted.session?.attempt = "attempt-7"
        #expect(
            names(machine.handle(.saved(.success(attempted)), at: moment())) == ["refresh refresh-0 attempt-7"])
        #expect(
            names(machine.handle(.refreshed(.success(Self.answer(1)), presented: "refresh-0"), at: moment()))
                == ["publish acc_1", "save refresh-1 -"])
        var renewed = Self.stored
        renewed.session?.refreshToken = "refresh-1"
        #expect(
            names(machine.handle(.saved(.success(renewed)), at: moment())) == ["reply 1 access-1", "reply 2 access-1"])
        #expect(ask(.accessToken, 3, &machine) == ["reply 3 access-1"])
    }

    @Test("drops the answer to a refresh of somebody who has signed out meanwhile")
    func lateAnswer() {
        var machine = signedIn()
        _ = ask(.accessToken, 1, &machine)
        _ = machine.handle(.loaded(.success(Self.stored)), at: moment(7))
        var attempted = Self.stored
        attempted.session?.attempt = "attempt-7"
        _ = machine.handle(.saved(.success(attempted)), at: moment())
        #expect(
            ask(.signOut, 2, &machine) == [
                "reply 2 -", "publish signedOut", "fail 1 notSignedIn", "save nobody replacing",
            ])
        #expect(
            names(machine.handle(.refreshed(.success(Self.answer(1)), presented: "refresh-0"), at: moment())) == [])
        #expect(machine.access == nil && machine.record?.session == nil)
    }

    @Test(
        "ends a session by what the service says of its end",
        arguments: [
            (EndExplanation.otherwise, ["publish ended(session_ended)", "save nobody"]),
            (.unknown, ["publish ended(session_ended)", "save nobody"]),
            (
                .byApple(AppleStanding(state: "revoked", askedAt: 0)),
                ["publish appleAccessEnded", "announce", "save nobody"]
            ),
            (
                .byApple(AppleStanding(state: "authorized", askedAt: 0)),
                ["publish ended(session_ended)", "save nobody"]
            ),
        ])
    func ending(explanation: EndExplanation, effects: [String]) {
        var machine = signedIn()
        let request = SessionRequest.sessionRefused(.sessionEnded, cause: Self.refusal, machine.epoch)
        #expect(ask(request, 1, &machine) == ["load"])
        #expect(
            names(machine.handle(.loaded(.success(Self.stored)), at: moment())) == ["explain refresh-0"])
        #expect(names(machine.handle(.endExplained(explanation, of: "refresh-0"), at: moment())) == effects)
        #expect(
            names(machine.handle(.saved(.success(StoredRecord())), at: moment())) == ["fail 1 sessionEnded"])
    }

    @Test("goes on with the session that another process has stored, instead of ending it")
    func otherProcess() {
        var machine = signedIn()
        let request = SessionRequest.sessionRefused(.sessionEnded, cause: Self.refusal, machine.epoch)
        _ = ask(request, 1, &machine)
        var other = Self.stored
        other.session?.refreshToken = "refresh-other"
        #expect(
            names(machine.handle(.loaded(.success(other)), at: moment())) == ["publish acc_1", "reply 1 -"])
        #expect(machine.record == other)
    }

    @Test("takes a sign-in back that cannot be stored, and ends its session")
    func signInNotStored() {
        var machine = signedIn()
        let authorization = AuthorizationID(number: 9)
        _ = machine.handle(.authorizationBegan(authorization), at: moment())
        let answer = SignInAnswer(
            account: Self.account,
            session: SessionBody(accessToken: "new", expiresIn: 600, refreshToken: "refresh-new"),
            isNewAccount: false)
        #expect(ask(.signIn(answer, user: "ada", authorization), 1, &machine) == ["save refresh-new - replacing"])
        #expect(
            names(machine.handle(.saved(.failure(AccountClientError(.storage, ""))), at: moment()))
                == ["end refresh-new", "publish acc_1", "fail 1 storage"])
        #expect(machine.record == Self.stored)
    }

    @Test("goes back to the session before two sign-ins if neither can be stored")
    func neitherStored() {
        var machine = signedIn()
        for number in [1, 2] {
            _ = machine.handle(.authorizationBegan(AuthorizationID(number: number)), at: moment())
            let answer = SignInAnswer(
                account: Self.account,
                session: SessionBody(accessToken: "new", expiresIn: 600, refreshToken: "refresh-new-\(number)"),
                isNewAccount: false)
            _ = ask(.signIn(answer, user: "ada", AuthorizationID(number: number)), number, &machine)
        }
        let failure = AccountClientError(.storage, "")
        #expect(
            names(machine.handle(.saved(.failure(failure)), at: moment()))
                == ["end refresh-new-1", "fail 1 storage", "save refresh-new-2 - replacing"])
        #expect(
            names(machine.handle(.saved(.failure(failure)), at: moment()))
                == ["end refresh-new-2", "publish acc_1", "fail 2 storage"])
        #expect(machine.record == Self.stored)
    }

    @Test("refuses a sign-in that another one has taken the place of")
    func superseded() {
        var machine = signedIn()
        let (first, second) = (AuthorizationID(number: 1), AuthorizationID(number: 2))
        _ = machine.handle(.authorizationBegan(first), at: moment())
        #expect(names(machine.handle(.authorizationBegan(second), at: moment())) == ["cancel 1"])
        let answer = SignInAnswer(
            account: Self.account,
            session: SessionBody(accessToken: "new", expiresIn: 600, refreshToken: "refresh-new"),
            isNewAccount: false)
        #expect(ask(.signIn(answer, user: "ada", first), 3, &machine) == ["end refresh-new", "fail 3 cancelled"])
        #expect(machine.record == Self.stored)
    }

    @Test("ends the session that a stored sign-in has replaced, even if the person has signed out meanwhile")
    func replacedAndLeft() {
        var machine = signedIn()
        signInAgain(2, &machine)
        _ = ask(.signOut, 3, &machine)
        let stored = StoredRecord(
            session: StoredSession(user: "ada", refreshToken: "refresh-new", account: Self.account))
        #expect(names(machine.handle(.saved(.success(stored)), at: moment())).contains("end refresh-0"))
    }

    @Test("ends the session before a sign-in that can't be stored, if the person has signed out meanwhile")
    func failedAndLeft() {
        var machine = signedIn()
        signInAgain(2, &machine)
        _ = ask(.signOut, 3, &machine)
        #expect(
            names(machine.handle(.saved(.failure(AccountClientError(.storage, ""))), at: moment()))
                == ["end refresh-0", "fail 2 storage", "save nobody replacing"])
    }

    @Test("replaces what another process stores once, and not again after a read between two writes")
    func replacedOnce() {
        var machine = signedIn()
        var account = Self.account
        account.email = "a@example.com"
        _ = ask(.accountChanged(account, machine.epoch), 1, &machine)
        _ = ask(.signOut, 2, &machine)
        _ = ask(.prepareSignIn, 3, &machine)
        signInAgain(4, &machine)
        // The sign-out's write also has the sign-in.
        let first = names(machine.handle(.saved(.success(Self.stored)), at: moment()))
        #expect(first.last == "save refresh-new - replacing")
        let new = StoredRecord(
            session: StoredSession(user: "ada", refreshToken: "refresh-new", account: Self.account))
        #expect(names(machine.handle(.saved(.success(new)), at: moment())).last == "load")
        // Another process has signed out since.
        let last = names(machine.handle(.loaded(.success(StoredRecord())), at: moment()))
        #expect(last.last == "save refresh-new -")
    }

    @Test("keeps a successor that another process has stored while memory went on")
    func successorOfOther() {
        var machine = signedIn()
        var account = Self.account
        account.email = "a@example.com"
        #expect(
            ask(.accountChanged(account, machine.epoch), 1, &machine) == ["publish acc_1", "save refresh-0 -"])
        account.email = "b@example.com"
        #expect(ask(.accountChanged(account, machine.epoch), 2, &machine) == ["publish acc_1"])
        var other = Self.stored
        other.session?.refreshToken = "refresh-1"
        #expect(
            names(machine.handle(.saved(.success(other)), at: moment())) == ["reply 1 -", "save refresh-1 -"])
        #expect(machine.record?.session?.account.email == "b@example.com")
    }

    @Test("drops an answer for a session that could not be stored, instead of keeping it for the former")
    func answerAfterFailedSignIn() {
        var machine = signedIn()
        let authorization = AuthorizationID(number: 9)
        _ = machine.handle(.authorizationBegan(authorization), at: moment())
        var other = Self.account
        other.id = "acc_2"
        let answer = SignInAnswer(
            account: other, session: SessionBody(accessToken: "new", expiresIn: 600, refreshToken: "refresh-new"),
            isNewAccount: false)
        _ = ask(.signIn(answer, user: "bob", authorization), 1, &machine)
        let epoch = machine.epoch
        _ = machine.handle(.saved(.failure(AccountClientError(.storage, ""))), at: moment())
        let version = machine.snapshot.accountVersion
        #expect(ask(.accountTold(other, epoch, version), 2, &machine) == ["fail 2 cancelled"])
        #expect(ask(.accountChanged(other, epoch), 3, &machine) == ["fail 3 cancelled"])
        #expect(machine.record == Self.stored)
    }

    @Test("keeps the name of another sign-in when a session could not be stored")
    func nameDuringFailedSignIn() {
        var machine = signedIn()
        let authorization = AuthorizationID(number: 9)
        _ = machine.handle(.authorizationBegan(authorization), at: moment())
        let answer = SignInAnswer(
            account: Self.account,
            session: SessionBody(accessToken: "new", expiresIn: 600, refreshToken: "refresh-new"), isNewAccount: false)
        _ = ask(.signIn(answer, user: "ada", authorization), 1, &machine)
        let name = FullName(givenName: "Bob")
        #expect(ask(.keepName(name, user: "bob"), 2, &machine) == [])
        _ = machine.handle(.saved(.failure(AccountClientError(.storage, ""))), at: moment())
        #expect(machine.record?.session == Self.stored.session)
        #expect(machine.record?.pendingName(of: "bob") == name && machine.isUnsaved)
    }

    @Test("drops an answer about the account that a change has overtaken")
    func overtakenByChange() {
        var machine = signedIn()
        let asked = machine.snapshot.accountVersion
        var changed = Self.account
        changed.phone = "+493012345678"
        #expect(
            ask(.accountChanged(changed, machine.epoch), 1, &machine) == ["publish acc_1", "save refresh-0 -"])
        #expect(machine.snapshot.accountVersion.isNext(after: asked))
        #expect(ask(.accountTold(Self.account, machine.epoch, asked), 2, &machine) == ["reply 2 -"])
        #expect(machine.record?.session?.account == changed)
    }

    @Test("takes an overtaken answer that says the same")
    func overtakenBySame() {
        var machine = signedIn()
        let asked = machine.snapshot.accountVersion
        #expect(ask(.accountTold(Self.account, machine.epoch, asked), 1, &machine) == ["publish acc_1", "reply 1 -"])
        #expect(ask(.accountTold(Self.account, machine.epoch, asked), 2, &machine) == ["publish acc_1", "reply 2 -"])
    }

    @Test("drops an answer about the account if another process has stored a newer one meanwhile")
    func overtakenByProcess() {
        var machine = signedIn()
        let asked = machine.snapshot.accountVersion
        _ = ask(.accessToken, 1, &machine)
        var stored = Self.stored
        stored.session?.account.phone = "+493012345678"
        stored.session?.refreshToken = "refresh-1"
        _ = machine.handle(.loaded(.success(stored)), at: moment())
        #expect(machine.record?.session?.account.phone == "+493012345678")
        #expect(ask(.accountTold(Self.account, machine.epoch, asked), 2, &machine) == ["reply 2 -"])
        #expect(machine.record?.session?.account.phone == "+493012345678")
    }

    /// The end of a write to a storage whose record another process has changed meanwhile.
    private func changed(_ change: (inout StoredRecord) -> Void) -> SessionEvent {
        var stored = Self.stored
        change(&stored)
        return .saved(.success(stored))
    }

    @Test("sends no attempt that storage lacks, because another process has signed out meanwhile")
    func attemptOfEndedSession() {
        var machine = signedIn()
        _ = ask(.accessToken, 1, &machine)
        #expect(names(machine.handle(.loaded(.success(Self.stored)), at: moment())) == ["save refresh-0 attempt-0"])
        #expect(ask(.userForgotten(machine.epoch), 2, &machine) == ["publish acc_1"])
        #expect(
            names(machine.handle(changed { $0.session = nil }, at: moment()))
                == ["publish signedOut", "fail 1 notSignedIn", "save nobody"])
    }

    @Test("removes the session that another process has stored, if the person signs out before it is found")
    func signOutMeetsOtherSession() {
        var machine = signedIn()
        _ = ask(.sessionEndedByPerson(machine.epoch), 1, &machine)
        _ = machine.handle(.saved(.success(StoredRecord())), at: moment())
        _ = ask(.keepName(FullName(givenName: "Ada"), user: "ada"), 2, &machine)
        _ = ask(.signOut, 3, &machine)
        #expect(
            names(machine.handle(changed { $0.session?.refreshToken = "refresh-other" }, at: moment()))
                == ["reply 2 -", "save nobody replacing"])
    }
}
