import JuiceScreens
import UIKit

/// Juice in UIKit, as Apple's sample is.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// The app's model, or the mistake in its settings.
    let juice = JuiceViewModel.fromBundle()

    /// Apple's sample asks for the state of the saved identifier here. `start()` does that, and asks the account service, too:
    /// Apple's state alone ends no session.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if case .success(let juice) = juice { juice.start() }
        return true
    }
}
