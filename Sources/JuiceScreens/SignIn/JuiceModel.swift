/// The view model: decides which screen is shown, and which effects follow an event. It has no side effects itself.
package struct JuiceModel: Sendable {
    /// How many providers have a key.
    package static let maximumProviders = Command.providerLetters.count

    package internal(set) var screen = JuiceScreen.looking
    /// The providers beside Apple that the person can choose.
    let providers: [OfferedProvider]
    /// The button that Return presses.
    package private(set) var focus: Command?

    /// A remark that the person should know, until they have done something.
    var remark: String?

    /// The exit status for the end of Juice, once the sign-in under way is cancelled; nil if Juice doesn't end.
    private var exitStatus: Int32?
    private var inputHasEnded = false
    private var typedAhead: [Input] = []
    /// The profile of the person who is signed in.
    var profile: Profile?
    /// The address that the person has typed last.
    var loginEmail = ""
    /// Whether the person is on the way to Apple, away from their password.
    var isUpgrading = false
    /// The ways in to the account, as the service last listed them.
    var waysIn: [WayIn] = []
    /// The change of the ways in that is under way.
    var waysInChange: WaysInChange?

    /// Whether no more keys or lines come.
    var isInputOver: Bool { inputHasEnded && typedAhead.isEmpty }

    /// - Parameter providers: those beside Apple that the person can choose.
    package init(providers: [OfferedProvider] = []) {
        self.providers = Array(providers.prefix(Self.maximumProviders))
    }

    /// The buttons of the screen, in the order of the Tab key.
    var buttons: [Command] { screen.buttons(offering: providers) }

    /// The input from the person: a key, or a line where keys are not heard one by one.
    private enum Input {
        case key(Key)
        case line(String)
    }

    /// - Returns: the effects that Juice wants, in this order.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .launched: return [.findAccount]
        case .key(let key): return take(.key(key))
        case .line(let line): return take(.line(line))
        case .pressed, .left, .submitted, .edited, .linkOpened, .credentialCame: return handleView(event)
        case .inputEnded:
            inputHasEnded = true
            return takeWaitingInput()
        case .resized: return []
        case .woken: return [.resume]
        case .terminated(let status): return [.exit(status: status)]

        case .remarked(let text):
            remark = text
            return []

        case .accountFound(let profile?): return showResult(profile)
        case .accountFound(nil): return show(.login(nil))
        case .lookFailed(let notice): return show(.login(notice))
        case .instructed(let instruction):
            instruct(instruction)
            return []
        case .signedIn(let profile): return showResult(profile)
        case .signInEnded(let notice): return show(.login(notice))
        case .signedOut(let notice): return show(.login(notice))
        case .accountChanged(let changed):
            change(to: changed)
            return []
        case .sessionEnded(let notice): return screen.isSignedIn ? show(.login(notice)) : []

        case .appleStateTold(let state):
            change { $0.appleState = state }
            return []
        case .sessionsListed(let rows): return screen == .askingSessions ? show(.sessions(rows)) : []
        case .sessionsFailed(let notice): return screen == .askingSessions ? goBack(notice) : []
        case .accountDeleted(let notice): return show(.login(notice))
        case .deletionEnded(let notice): return goBack(notice)

        case .profileUpdated, .profileFailed, .consentAsked, .consentsListed: return handleProfile(event)
        case .passwordFound, .signedInByPassword, .linkTold, .passwordChanged, .passwordNeeded, .upgraded,
            .upgradeEnded:
            return handlePasswords(event)
        case .waysInListed, .waysInChanged, .waysInFailed, .conflictFound, .proofNeeded, .mergePlanned:
            return handleLinking(event)
        }
    }

    // MARK: The person who is signed in

    /// - Parameter before: effects that come first in any case.
    mutating func showResult(_ profile: Profile, after before: [Effect] = []) -> [Effect] {
        self.profile = profile
        waysInChange = nil
        let effects = show(.result(profile))
        // Juice doesn't ask how the person stands at Apple if it shows another screen at once, or if they sign in without
        // Apple.
        let isByApple = profile.hasAppleAccount && !profile.signsInByEmail
        return before + (effects.isEmpty && isByApple ? [.askAppleState] : effects)
    }

    /// Shows the account of the service's answer. The answer doesn't have the state of the Apple Account.
    mutating func change(to changed: Profile) {
        change { [state = profile?.appleState] profile in
            profile = changed
            profile.appleState = state
        }
    }

    /// Changes the profile that is shown. Does nothing if no profile is shown.
    private mutating func change(_ edit: (inout Profile) -> Void) {
        guard var profile else { return }
        edit(&profile)
        self.profile = profile
        switch screen {
        case .result: screen = .result(profile)
        case .profile: screen = .profile(profile)
        default: break
        }
    }

    mutating func goBack(_ notice: LoginNotice? = nil) -> [Effect] {
        guard let profile else { return show(.login(notice)) }
        remark = notice?.text
        return switch screen {
        case .consents: show(.profile(profile))
        case .confirmingWithdrawal(_, let rows): show(.consents(rows))
        case .confirmingRemoval: show(.waysIn(waysIn))
        default: show(.result(profile))
        }
    }

    private mutating func instruct(_ instruction: Instruction) {
        switch screen {
        case .waiting(_, let isCancelling): screen = .waiting(instruction, isCancelling: isCancelling)
        case .deleting(_, let isCancelling): screen = .deleting(instruction, isCancelling: isCancelling)
        case .upgrading(_, let isCancelling): screen = .upgrading(instruction, isCancelling: isCancelling)
        case .changingWaysIn(let change, _, let isCancelling):
            screen = .changingWaysIn(change, instruction, isCancelling: isCancelling)
        default: break
        }
    }

    // MARK: The person's keys and commands

    private mutating func take(_ input: Input) -> [Effect] {
        switch input {
        case .key(.interrupt): return quit(status: 130)
        case .key(.suspend): return [.suspend]
        case .key(let key):
            if case .editing(let entry) = screen { return type(key, into: entry) }
            if case .form(let form) = screen { return type(key, into: form) }
            return press(key)
        case .line(let line):
            if case .editing(let entry) = screen { return submit(line, for: entry) }
            if case .form(let form) = screen { return submit(line, for: form) }
            guard screen.isBusy else { return press(Key(line: line)) }
            // A longer line is a text for a screen that comes.
            if line.count == 1, let command = command(for: Key(line: line)) { return perform(command) }
            typedAhead.append(input)
            return []
        }
    }

    private mutating func press(_ key: Key) -> [Effect] {
        switch key {
        case .tab, .down, .right: moveFocus(by: 1)
        case .backTab, .up, .left: moveFocus(by: -1)
        default:
            if let command = command(for: key) { return perform(command) }
            if screen.isBusy { typedAhead.append(.key(key)) }
        }
        return []
    }

    private func command(for key: Key) -> Command? {
        switch key {
        case .enter: focus
        case .escape: buttons.first { $0.isWayBack }
        case .character(let character): buttons.first { String($0.letter) == character.lowercased() }
        default: nil
        }
    }

    mutating func perform(_ command: Command) -> [Effect] {
        remark = nil
        return switch command {
        case .signIn:
            show(.waiting(.wait, isCancelling: false), then: [.signIn(nil)])
        case .signInAt(_, let provider):
            show(.waiting(.wait, isCancelling: false), then: [.signIn(provider)])
        case .lookAgain:
            show(.looking, then: [.findAccount])
        case .cancel:
            cancel()
        case .signOut:
            // The screen changes before storage does, so that the person doesn't wait.
            show(.signingOut, then: [.signOut])
        case .sessions:
            show(.askingSessions, then: [.listSessions])
        case .end(let number):
            end(number)
        case .endOthers:
            show(.askingSessions, then: [.endOtherSessions])
        case .delete:
            show(.confirmingDeletion)
        case .confirmDeletion:
            show(.deleting(.wait, isCancelling: false), then: [.deleteAccount(password: nil)])
        case .back:
            goBack()
        case .quit:
            quit(status: 0)
        case .profile, .editName, .editContactEmail, .editPhone, .more, .agree, .disagree, .consents, .withdraw,
            .confirmWithdrawal:
            performProfile(command)
        case .logIn, .createAccount, .forgotPassword, .emailLink, .openLink, .useSaved, .useOther, .savePassword,
            .dontSave, .changePassword, .upgrade, .endElsewhere, .keepElsewhere:
            performPasswords(command)
        case .waysIn, .addApple, .addAt, .addAddress, .enterLink, .remove, .confirmRemoval, .goOver, .stay,
            .merge, .confirmMerge, .keepBoth:
            performLinking(command)
        }
    }

    private mutating func end(_ number: Int) -> [Effect] {
        guard case .sessions(let rows) = screen, let row = rows.others.first(where: { $0.number == number })?.row
        else { return [] }
        return show(.askingSessions, then: [.endSession(id: row.id)])
    }

    /// Cancels the question to the person. An event brings the result, because a sign-in may have succeeded before.
    private mutating func cancel() -> [Effect] {
        switch screen {
        case .waiting(let instruction, isCancelling: false):
            show(.waiting(instruction, isCancelling: true), then: [.cancelSignIn])
        case .deleting(let instruction, isCancelling: false):
            show(.deleting(instruction, isCancelling: true), then: [.cancelDeletion])
        case .upgrading(let instruction, isCancelling: false):
            show(.upgrading(instruction, isCancelling: true), then: [.cancelUpgrade])
        case .changingWaysIn(let change, let instruction, isCancelling: false):
            show(.changingWaysIn(change, instruction, isCancelling: true), then: [.cancelWaysIn])
        default: []
        }
    }

    /// Quits. A sign-in under way is cancelled first, so that the service knows. A second quit ends Juice at once.
    private mutating func quit(status: Int32) -> [Effect] {
        guard screen.isAskingPerson, exitStatus == nil else { return [.exit(status: status)] }
        exitStatus = status
        return cancel()
    }

    private mutating func moveFocus(by step: Int) {
        let buttons = buttons
        guard let focus, let index = buttons.firstIndex(of: focus) else {
            focus = step > 0 ? buttons.first : buttons.last
            return
        }
        self.focus = buttons[(index + step + buttons.count) % buttons.count]
    }

    mutating func show(_ next: JuiceScreen, then effects: [Effect] = []) -> [Effect] {
        screen = next
        focus = next.firstFocus
        if case .login = next {
            profile = nil
            waysInChange = nil
            isUpgrading = false
        }
        return effects + takeWaitingInput()
    }

    /// On a screen that waits for the person, quits if the person wanted that, or takes the keys that they have typed ahead.
    private mutating func takeWaitingInput() -> [Effect] {
        switch screen {
        case .looking, .signingOut, .waiting, .askingSessions, .deleting, .askingProfile: return []
        case .loggingIn, .upgrading, .askingWaysIn, .changingWaysIn: return []
        case .login, .result, .sessions, .confirmingDeletion: break
        case .profile, .editing, .consent, .consents, .confirmingWithdrawal: break
        case .form, .offeringSaved, .offeringToSave, .confirmingUpgrade: break
        case .waysIn, .confirmingRemoval, .conflict, .confirmingMerge: break
        }
        if let exitStatus { return [.exit(status: exitStatus)] }
        while !typedAhead.isEmpty {
            let effects = take(typedAhead.removeFirst())
            if !effects.isEmpty { return effects }
        }
        guard inputHasEnded else { return [] }
        if case .login(let notice?) = screen, notice.kind == .problem { return [.exit(status: 1)] }
        return [.exit(status: 0)]
    }
}
