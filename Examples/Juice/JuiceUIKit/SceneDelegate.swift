import JuiceScreens
import UIKit

/// Makes the window. Config/JuiceUIKit-Info.plist names this class.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene,
            let delegate = UIApplication.shared.delegate as? AppDelegate
        else { return }
        let window = UIWindow(windowScene: scene)
        switch delegate.juice {
        case .success(let juice): window.rootViewController = RootViewController(juice: juice)
        case .failure(let error): window.rootViewController = MistakeViewController(text: error.description)
        }
        window.makeKeyAndVisible()
        self.window = window
        for activity in connectionOptions.userActivities { open(activity) }
    }

    /// A link from a mail, which the system opens with this app because of the associated domain.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        open(userActivity)
    }

    private func open(_ activity: NSUserActivity) {
        guard let url = activity.webpageURL, let delegate = UIApplication.shared.delegate as? AppDelegate,
            case .success(let juice) = delegate.juice
        else { return }
        juice.open(url)
    }
}
