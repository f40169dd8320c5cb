import JuiceScreens
import UIKit

/// Shows one page of the model after the other, each in a view controller of its own.
final class RootViewController: UIViewController {
    private let juice: JuiceViewModel
    private var shown: UIViewController?
    private var following: Task<Void, Never>?
    private lazy var web = WebSignIn(
        window: { [weak self] in self?.view.window ?? UIWindow() }, onClose: { [juice] in juice.press(.cancel) })

    init(juice: JuiceViewModel) {
        self.juice = juice
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        following = Task { [weak self, juice] in
            for await page in juice.pages { self?.show(page) }
        }
    }

    private func show(_ page: JuicePage) {
        web.show(page.webPage)
        guard !update(with: page) else { return }
        switch page.screen {
        case .login(let notice): replace(by: LoginViewController(juice: juice, page: page, notice: notice))
        case .form(let form): replace(by: FormViewController(juice: juice, page: page, form: form))
        case .result(let profile): replace(by: ResultViewController(juice: juice, page: page, profile: profile))
        case .profile(let profile): replace(by: ProfileViewController(juice: juice, page: page, profile: profile))
        default: replace(by: PageViewController(juice: juice, page: page))
        }
    }

    /// Hands a page to the view controller that is shown already, which keeps what the person has typed.
    /// - Returns: whether it has the fields and buttons of this page.
    private func update(with page: JuicePage) -> Bool {
        switch page.screen {
        case .login(let notice):
            guard let login = shown as? LoginViewController, login.page.buttons == page.buttons else { return false }
            login.show(page, notice: notice)
        case .form(let form):
            guard let view = shown as? FormViewController, view.purpose == form.purpose else { return false }
            view.show(remark: page.remark)
        case .profile(let profile):
            guard let view = shown as? ProfileViewController, view.profile == profile else { return false }
            view.show(remark: page.remark)
        default: return false
        }
        return true
    }

    private func replace(by next: UIViewController) {
        shown?.willMove(toParent: nil)
        shown?.view.removeFromSuperview()
        shown?.removeFromParent()
        addChild(next)
        next.view.frame = view.bounds
        next.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(next.view)
        next.didMove(toParent: self)
        shown = next
    }
}
