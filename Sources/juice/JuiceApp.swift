import UnixSignals

/// Brings events to the model, its screens to the surface, and its effects to whoever carries them out.
struct JuiceApp {
    private var model: JuiceModel
    private var surface: any Surface
    private var work: AccountWork
    private let events: AsyncStream<Event>

    /// - Parameter events: what `work` sends to.
    init(
        surface: any Surface, work: AccountWork, events: AsyncStream<Event>, providers: [OfferedProvider] = []
    ) {
        model = JuiceModel(providers: providers)
        self.surface = surface
        self.work = work
        self.events = events
    }

    /// - Returns: the status to end the process with.
    mutating func run() async throws -> Int32 {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigwinch, .sigcont)
        let (work, send) = (work, work.events)
        let watching = [
            Task { await work.followSession() },
            Task { await work.followEvents() },
            Task { for await signal in signals { send.yield(Event(signal)) } },
        ]
        defer { for task in watching { task.cancel() } }

        try surface.open()
        defer { surface.close() }
        surface.readKeys(to: send)
        send.yield(.launched)
        for await event in events {
            let effects = model.handle(event)
            try surface.show(model)
            for effect in effects {
                if case .exit(let status) = effect { return status }
                try perform(effect)
            }
        }
        return 0
    }

    private mutating func perform(_ effect: Effect) throws {
        switch effect {
        case .findAccount: work.findAccount()
        case .signIn(let provider): work.signIn(provider)
        case .cancelSignIn: work.cancelSignIn()
        case .signOut: work.signOut()
        case .askAppleState: work.askAppleState()
        case .listSessions: work.listSessions()
        case .endSession(let id): work.endSession(id)
        case .endOtherSessions: work.endOtherSessions()
        case .deleteAccount(let password): work.deleteAccount(password)
        case .cancelDeletion: work.cancelDeletion()
        case .updateProfile(let edit): work.updateProfile(edit)
        case .answerQuestion(let agrees): work.answerQuestion(agrees)
        case .listConsents: work.listConsents()
        case .withdrawConsent(let id): work.withdrawConsent(id)
        case .logIn, .logInWithSavedPassword, .savePassword, .createAccount, .resetPassword, .requestLink,
            .askAboutLink,
            .finishSignUp, .finishSignIn, .finishReset, .changePassword, .upgrade, .cancelUpgrade:
            performPasswords(effect)
        case .listWaysIn: work.listWaysIn()
        case .changeWaysIn(let change, let password): work.change(change, password: password)
        case .cancelWaysIn: work.cancelWaysIn()
        case .suspend:
            surface.close()
            TerminalDevice.suspend()
            try resume()
        case .resume: try resume()
        case .exit: break
        }
    }

    private mutating func performPasswords(_ effect: Effect) {
        switch effect {
        case .logIn(let password): work.logIn(password)
        case .logInWithSavedPassword: work.logInWithSavedPassword()
        case .savePassword: work.savePassword()
        case .createAccount(let password): work.createAccount(password)
        case .resetPassword(let email): work.resetPassword(email)
        case .requestLink(let email): work.requestLink(email)
        case .askAboutLink(let link): work.askAboutLink(link)
        case .finishSignUp(let link, let password, let email): work.finishSignUp(link, password, email: email)
        case .finishSignIn(let link, let email): work.finishSignIn(link, email)
        case .finishReset(let link, let password): work.finishReset(link, password)
        case .changePassword(let current, let new): work.changePassword(from: current, to: new)
        case .upgrade(let password, let endingOthers): work.upgrade(password, endingOthers: endingOthers)
        case .cancelUpgrade: work.cancelUpgrade()
        default: break
        }
    }

    /// The shell may have had the terminal for itself.
    private mutating func resume() throws {
        try surface.open()
        try surface.show(model)
    }
}

extension Event {
    fileprivate init(_ signal: UnixSignal) {
        switch signal {
        case .sigint: self = .key(.interrupt)
        case .sigwinch: self = .resized
        case .sigcont: self = .woken
        // Shells give this status to a process that a signal ended.
        default: self = .terminated(status: 128 + signal.rawValue)
        }
    }
}
