import AccountService
import Logging

// A hook: the embedding program hears of new and deleted accounts. Its own type, and the ready-made one with a closure.

/// Removes what the program keeps about people whose accounts are gone.
struct ForgetPeople: AccountHook {
    let name = "forget-people"
    let logger: Logger

    func receive(_ notice: AccountNotice) async -> HookAnswer {
        switch notice.kind {
        case .accountDeleted:
            logger.info("An account is gone.", metadata: ["account": "\(notice.accountID)", "notice": "\(notice.id)"])
            return .taken
        case .appleAccessEnded where notice.identityID == nil:
            return .failed(code: "identity_missing")
        default:
            return .taken
        }
    }
}

struct NoFolder: Error {}

let hooks: [any AccountHook] = [
    ForgetPeople(logger: Logger(label: "embedder")),
    InProcessHook(name: "make-folders") { notice in
        guard notice.kind == .accountCreated, notice.sequence > 0 else { return }
        throw NoFolder()
    },
]

@main
struct Program {
    static func main() {
        for hook in hooks { print(hook.name) }
    }
}
