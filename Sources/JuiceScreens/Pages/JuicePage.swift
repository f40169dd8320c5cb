public import Foundation

/// Everything that a view shows at one moment.
public struct JuicePage: Hashable, Sendable {
    /// The screen with its values.
    public let screen: JuiceScreen
    /// The screen's words and values from top to bottom, with the remark and without the buttons.
    public let blocks: [ScreenBlock]
    /// The buttons in their order. Views have fields for the profile's values, and close in their own way, so there are no
    /// buttons for that.
    public let buttons: [Command]
    /// The news that the person should know until they do something; nil if there is none.
    public let remark: String?
    /// The address that the person has typed last, for the form of the first screen.
    public let email: String

    /// - Parameter clock: Spells a time of day.
    package init(_ model: JuiceModel, clock: (Date) -> String) {
        screen = model.screen
        remark = model.remark
        email = model.loginEmail
        buttons = model.buttons.filter { !$0.isForTerminal }
        blocks = model.blocks(clock: clock).filter { block in
            if case .buttons = block { false } else { true }
        }
    }

    /// The page on which the person signs in, to be shown in a browser; nil when there is none.
    ///
    /// The browser comes when the page is there, and goes when it is not any more.
    public var webPage: URL? {
        switch screen {
        case .waiting(.browser(let page, _), isCancelling: false),
            .deleting(.browser(let page, _), isCancelling: false),
            .upgrading(.browser(let page, _), isCancelling: false),
            .changingWaysIn(_, .browser(let page, _), isCancelling: false):
            page
        default: nil
        }
    }

    /// Whether Juice works without the person here.
    public var isBusy: Bool { screen.isBusy }

    /// Whether somebody is signed in.
    public var isSignedIn: Bool { screen.isSignedIn }
}
