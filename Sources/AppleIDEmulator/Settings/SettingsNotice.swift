/// What was just done, said once at the top of the page that follows. In addresses it is a word, never a text.
enum SettingsNotice: String, Sendable {
    case stopped
    case forwarding
    case notForwarding = "not-forwarding"
    case password
    case deleted

    var text: String {
        switch self {
        case .stopped: "The app is not used with this account any more. To it, the next sign-in is a first one."
        case .forwarding: "Mail to the address is forwarded again."
        case .notForwarding: "Mail to the address is not forwarded any more."
        case .password: "The password is changed. Apps have to ask again."
        case .deleted: "The Apple Account is deleted, and every app that it was used with is told."
        }
    }
}
