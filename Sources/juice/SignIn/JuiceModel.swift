/// The view model: which screen is shown, and what to do about an event. It does nothing itself.
struct JuiceModel: Sendable {
    private(set) var screen = Screen.looking
    /// The button that Return presses.
    private(set) var focus: Command?

    /// What the person should know, until they have done something.
    private(set) var remark: String?

    /// The status to leave once the sign-in under way has been given up.
    private var exitStatus: Int32?
    private var inputHasEnded = false
    private var typedAhead: [Key] = []

    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .launched: return [.findAccount]
        case .key(let key): return press(key)
        case .inputEnded:
            inputHasEnded = true
            return rest()
        case .resized: return []
        case .woken: return [.resume]
        case .terminated(let status): return [.exit(status: status)]

        case .remarked(let text):
            remark = text
            return []

        case .accountFound(let profile?): return show(.result(profile))
        case .accountFound(nil): return show(.login(nil))
        case .lookFailed(let notice): return show(.login(notice))
        case .instructed(let instruction):
            guard case .waiting(_, let isCancelling) = screen else { return [] }
            screen = .waiting(instruction, isCancelling: isCancelling)
            return []
        case .signedIn(let profile): return show(.result(profile))
        case .signInEnded(let notice): return show(.login(notice))
        case .signedOut(let notice): return show(.login(notice))
        case .accountChanged(let profile):
            guard case .result = screen else { return [] }
            screen = .result(profile)
            return []
        case .sessionEnded:
            guard case .result = screen else { return [] }
            return show(.login(.sessionEnded))
        }
    }

    private mutating func press(_ key: Key) -> [Effect] {
        switch key {
        case .interrupt: return quit(status: 130)
        case .suspend: return [.suspend]
        case .tab, .down, .right: moveFocus(by: 1)
        case .backTab, .up, .left: moveFocus(by: -1)
        default:
            if let command = command(for: key) { return perform(command) }
            if screen.isBusy { typedAhead.append(key) }
        }
        return []
    }

    private func command(for key: Key) -> Command? {
        switch key {
        case .enter: focus
        case .escape: screen.buttons.contains(.cancel) ? .cancel : nil
        case .character(let character): screen.buttons.first { String($0.letter) == character.lowercased() }
        default: nil
        }
    }

    private mutating func perform(_ command: Command) -> [Effect] {
        remark = nil
        return switch command {
        case .signIn:
            show(.waiting(.wait, isCancelling: false), then: [.signIn])
        case .lookAgain:
            show(.looking, then: [.findAccount])
        case .cancel:
            cancel()
        case .signOut:
            // The view is cleared before the store is, as nobody should have to wait for that.
            show(.signingOut, then: [.signOut])
        case .quit:
            quit(status: 0)
        }
    }

    /// What a sign-in has come to is known when it ends: it may have succeeded before it could be given up.
    private mutating func cancel() -> [Effect] {
        guard case .waiting(let instruction, isCancelling: false) = screen else { return [] }
        return show(.waiting(instruction, isCancelling: true), then: [.cancelSignIn])
    }

    /// A sign-in under way is given up first, so that the account service hears of it. Who asks twice is not kept.
    private mutating func quit(status: Int32) -> [Effect] {
        guard case .waiting = screen, exitStatus == nil else { return [.exit(status: status)] }
        exitStatus = status
        return cancel()
    }

    private mutating func moveFocus(by step: Int) {
        let buttons = screen.buttons
        guard let focus, let index = buttons.firstIndex(of: focus) else {
            focus = step > 0 ? buttons.first : buttons.last
            return
        }
        self.focus = buttons[(index + step + buttons.count) % buttons.count]
    }

    private mutating func show(_ next: Screen, then effects: [Effect] = []) -> [Effect] {
        screen = next
        focus = next.firstFocus
        return effects + rest()
    }

    /// On a screen that waits for the person: ends if that was wished, else takes what was typed before.
    private mutating func rest() -> [Effect] {
        switch screen {
        case .looking, .signingOut, .waiting: return []
        case .login, .result: break
        }
        if let exitStatus { return [.exit(status: exitStatus)] }
        while !typedAhead.isEmpty {
            let effects = press(typedAhead.removeFirst())
            if !effects.isEmpty { return effects }
        }
        guard inputHasEnded else { return [] }
        if case .login(let notice?) = screen, notice.kind == .problem { return [.exit(status: 1)] }
        return [.exit(status: 0)]
    }
}
