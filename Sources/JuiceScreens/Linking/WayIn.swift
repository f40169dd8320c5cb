public import AccountClient
import Foundation

/// A way in to the account, as the list shows it.
public struct WayIn: Hashable, Sendable {
    /// The identifier at the account service.
    public internal(set) var id: String
    /// Whether the person signs in with Apple.
    public internal(set) var isApple: Bool
    /// The name of another provider; nil for Apple and for an address.
    public internal(set) var provider: String?
    /// The address; nil when Apple or another provider has told none.
    public internal(set) var address: String?
    /// Whether the address is Apple's relay for somebody who hides their own.
    public internal(set) var isPrivateEmail = false
    /// Whether a password goes with the address.
    public internal(set) var hasPassword = false
    /// The time at which somebody signed in this way last.
    public internal(set) var lastSignInAt: Date
    /// Whether it opened the session of this device.
    public internal(set) var isCurrent: Bool
}

/// A change of the ways in that the person wants. Its description shows neither password nor link.
public enum WaysInChange: Hashable, Sendable {
    case addApple
    /// Adds a person at another provider.
    case addAt(OfferedProvider)
    /// Asks for a mail with a link, which adds the address.
    case addAddress(email: String, password: TypedText)
    case finishAddress(EmailLink)
    case remove(id: String)
    /// Signs in to the other account, which a way in opens that could not be added.
    case goOver(SignInHandle)
    /// Makes one account of this one and the other one, which a way in opens that could not be added.
    case merge(SignInHandle)
}

extension [WayIn] {
    /// The ways in with the numbers of their keys, of which there are nine.
    public var numbered: [(number: Int, way: WayIn)] {
        prefix(9).enumerated().map { (number: $0.offset + 1, way: $0.element) }
    }

    /// The buttons that remove one. The last way in stays.
    var removals: [Command] { count > 1 ? numbered.map { .remove($0.number) } : [] }

    /// The buttons that add one. An account has one address to sign in with.
    var additions: [Command] {
        contains { !$0.isApple && $0.provider == nil } ? [.addApple] : [.addApple, .addAddress, .enterLink]
    }

    func blocks(clock: (Date) -> String) -> [ScreenBlock] {
        let hidden = count - numbered.count
        return numbered.map { .value(caption: "Way in \($0.number)", $0.way.words(clock: clock)) }
            + (hidden > 0 ? [.text("There are \(hidden) more.", .note)] : [])
            + [.gap, .text("Each of these opens your account.", .note)]
    }
}

extension WayIn {
    fileprivate func words(clock: (Date) -> String) -> String {
        name + ", used last at \(clock(lastSignInAt))" + (isCurrent ? ", for this session" : "")
    }

    /// The way in, in words.
    public var name: String {
        if let provider { return address.map { "\(provider) account \($0)" } ?? "\(provider) account" }
        guard isApple else { return "\(address ?? "an address") with \(hasPassword ? "a password" : "links in mails")" }
        if isPrivateEmail { return "Apple Account with a hidden address" }
        return address.map { "Apple Account \($0)" } ?? "Apple Account"
    }

    func removalBlocks(clock: (Date) -> String) -> [ScreenBlock] {
        let consequence =
            isCurrent
            ? "It opened this session, so you are signed out here. Then sign in with another one."
            : "Nobody gets in with it any more. Sessions that it opened end."
        return [
            .text("Remove this way in?", .title), .gap, .value(caption: "Way in", words(clock: clock)), .gap,
            .text(consequence + aftermath, .plain),
        ]
    }
}

extension WayIn {
    private var aftermath: String {
        if let provider { return " Remove Juice in your account at \(provider), too." }
        return isApple ? " Apple is told." : " The password goes with it."
    }
}

extension WaysInChange {
    /// The blocks above the page on which the person signs in.
    var blocks: [ScreenBlock] {
        switch self {
        case .addApple:
            [
                .text("Sign in with the Apple Account that you want to add.", .plain),
                .text("If you are asked a second time, sign in as before: that proves who you are.", .note), .gap,
            ]
        case .addAt(let provider):
            [
                .text("Sign in at \(provider.name) with the account that you want to add.", .plain),
                .text("If you are asked a second time, sign in as before: that proves who you are.", .note), .gap,
            ]
        case .addAddress, .finishAddress, .remove, .goOver, .merge:
            [.text("To change your ways in, sign in once more.", .plain), .gap]
        }
    }
}

extension SignInHandle {
    func blocks(clock: (Date) -> String) -> [ScreenBlock] {
        [
            .text("This way in opens another account. Go there?", .title), .gap,
            .text("You are signed out here then. Nothing of the two accounts is joined.", .plain),
            .text("Or make one account of both. You see first what that does.", .plain),
            .text("You can do either until \(clock(expiresAt)).", .note),
        ]
    }
}
