import AccountAPI
import AccountService

extension AccountEventBody {
    init(_ event: AccountEvent) {
        self.init(kind: event.kind.rawValue, at: APITime(event.at), about: event.about, reason: event.reason)
    }
}
