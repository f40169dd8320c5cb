import AccountClient
import AuthenticationServices
import JuiceScreens
import UIKit

/// The login of Apple's sample: a form, and Apple's button with a target and an action.
///
/// The views are made in code. If you lay the button out in a storyboard, add a *View*, and set its class to
/// `ASAuthorizationAppleIDButton` in the Identity inspector: then `awakeFromNib` adds the target.
final class LoginViewController: ColumnViewController {
    private let juice: JuiceViewModel
    /// The page with which the login came up.
    let page: JuicePage
    private let noticeLabel = UILabel()
    private let loginProviderStackView = UIStackView()
    private var notice: LoginNotice?
    private var emailField: UITextField?
    private var passwordField: UITextField?
    /// The request that is under way: Apple's answer has to fit it.
    private var nonce = SignInNonce()
    private var state = UUID().uuidString
    private var isAskedByPerson = false

    init(juice: JuiceViewModel, page: JuicePage, notice: LoginNotice?) {
        self.juice = juice
        self.page = page
        self.notice = notice
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        noticeLabel.numberOfLines = 0
        column.addArrangedSubview(noticeLabel)
        emailField = addField("Email", type: .username)
        emailField?.keyboardType = .emailAddress
        emailField?.text = page.email
        passwordField = addField("Password", type: .password, isSecret: true)
        addButton("Log In") { [weak self] in self?.logIn() }
        for command in page.buttons where command.isOfForm && command != .logIn {
            addButton(command.title) { [juice] in juice.press(command) }
        }
        column.addArrangedSubview(loginProviderStackView)
        setupProviderLoginView()
        for command in page.buttons where !command.isOfForm && command != .signIn {
            addButton(command.title) { [juice] in juice.press(command) }
        }
        show(page, notice: notice)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        // A person who has just left is not asked again at once.
        if notice == nil, !juice.settings.signsInByBrowser { performExistingAccountSetupFlows() }
    }

    /// Shows another page of the login without a change to what the person has typed.
    func show(_ page: JuicePage, notice: LoginNotice?) {
        self.notice = notice
        show(remark: page.remark)
        noticeLabel.text = notice?.text
        noticeLabel.textColor = notice?.kind == .problem ? .systemRed : .secondaryLabel
        noticeLabel.isHidden = notice == nil
    }

    private func logIn() {
        juice.logIn(email: emailField?.text ?? "", password: passwordField?.text ?? "")
    }

    // MARK: Apple's button

    private func setupProviderLoginView() {
        let authorizationButton = ASAuthorizationAppleIDButton()
        authorizationButton.addTarget(
            self, action: #selector(handleAuthorizationAppleIDButtonPress), for: .touchUpInside)
        loginProviderStackView.addArrangedSubview(authorizationButton)
    }

    @objc private func handleAuthorizationAppleIDButtonPress() {
        // `siwa demo` is bound to the emulator, and refuses the tokens of Apple's sheet.
        guard !juice.settings.signsInByBrowser else {
            juice.press(.signIn)
            return
        }
        isAskedByPerson = true
        perform([appleRequest()])
    }

    /// Looks for an account that this device knows, and asks the person to sign in with it. Without one, nothing is shown.
    private func performExistingAccountSetupFlows() {
        isAskedByPerson = false
        perform(
            [appleRequest(), ASAuthorizationPasswordProvider().createRequest()],
            options: .preferImmediatelyAvailableCredentials)
    }

    /// Every request has a nonce and a state of its own, which Apple's sample leaves out.
    private func appleRequest() -> ASAuthorizationAppleIDRequest {
        nonce = SignInNonce()
        state = UUID().uuidString
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.nonce = nonce.hash
        request.state = state
        return request
    }

    private func perform(
        _ requests: [ASAuthorizationRequest], options: ASAuthorizationController.RequestOptions = []
    ) {
        let authorizationController = ASAuthorizationController(authorizationRequests: requests)
        authorizationController.delegate = self
        authorizationController.presentationContextProvider = self
        authorizationController.performRequests(options: options)
    }
}

extension LoginViewController: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        view.window ?? ASPresentationAnchor()
    }
}

extension LoginViewController: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        switch authorization.credential {
        case let appleIDCredential as ASAuthorizationAppleIDCredential:
            guard appleIDCredential.state == state else {
                juice.finish(.failure(AccountClientError(.invalidResponse, "Apple answered another request")))
                return
            }
            // The account service makes the account, and the client keeps its session in the keychain.
            juice.signIn(with: AppleCredential(appleIDCredential, nonce: nonce.text))
        case let passwordCredential as ASPasswordCredential:
            juice.logIn(email: passwordCredential.user, password: passwordCredential.password)
        default:
            break
        }
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        // The app asked for saved accounts by itself at its start. The person sees no error if this device has none.
        guard isAskedByPerson else { return }
        guard (error as? ASAuthorizationError)?.code != .canceled else { return }
        juice.finish(.failure(AccountClientError(.authorizationFailed, error.localizedDescription)))
    }
}
