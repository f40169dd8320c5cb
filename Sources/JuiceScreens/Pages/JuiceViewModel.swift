public import AccountClient
import Foundation
import OpenAuthenticationServices

/// Juice for an app with views: shows one page after the other, and takes what the person does.
///
/// SwiftUI and UIKit follow ``pages``, show each page, and hand back presses and forms. All rules are in the model that the
/// terminal's Juice has, too.
///
/// ```swift
/// juice.start()
/// for await page in juice.pages { show(page) }
/// ```
@MainActor
public final class JuiceViewModel {
    /// The page to be seen now.
    public private(set) var page: JuicePage
    /// Signs in at the account service. A view gives it to Apple's button.
    public let client: AccountClient
    /// The settings that the app was made with.
    public let settings: JuiceSettings

    private var model: JuiceModel
    private var work: AccountWork
    private let events: AsyncStream<Event>
    private var running: [Task<Void, Never>] = []
    private var followers: [Int: AsyncStream<JuicePage>.Continuation] = [:]
    private var followersSoFar = 0

    /// Makes an app that has not looked for an account yet. Call ``start()`` when its first view appears.
    /// - Parameters:
    ///   - settings: the account service, and how people sign in there.
    ///   - storage: where the session is kept; nil is the system's keychain or keyring.
    ///   - configure: changes how calls travel. If it sets a browser, pages have no ``JuicePage/webPage``. Otherwise the view
    ///     opens that page.
    public init(
        settings: JuiceSettings, storage: (any SecretStorage)? = nil,
        configure: (inout AuthenticationServicesConfiguration) -> Void = { _ in }
    ) {
        let (events, send) = AsyncStream<Event>.makeStream()
        let client = AccountClient(backend: settings.backend, app: settings.app, storage: storage) { configuration in
            if settings.signsInByBrowser { configuration.flow = .browser }
            configuration.browser = BrowserPresenter { page in
                send.yield(.instructed(.browser(page, isOpen: true)))
            }
            configuration.showDeviceCode = { code in
                let instruction = Instruction.device(
                    code: code.userCode, page: code.verificationURL, expiresAt: code.expiresAt)
                send.yield(.instructed(instruction))
            }
            configure(&configuration)
        }
        self.settings = settings
        self.client = client
        self.events = events
        let model = JuiceModel(providers: settings.providers)
        self.model = model
        work = AccountWork(client: client, events: send, providers: settings.providers)
        page = JuicePage(model, clock: clockTime)
    }

    deinit {
        for task in running { task.cancel() }
        for follower in followers.values { follower.finish() }
    }

    /// Looks for an account, and follows what happens to it. A second call does nothing.
    public func start() {
        guard running.isEmpty else { return }
        let work = work
        running = [
            Task { await work.followSession() },
            Task { await work.followEvents() },
            Task { [weak self, events] in
                for await event in events { self?.handle(event) }
            },
        ]
        handle(.launched)
    }

    /// The pages, the present one first. Each call makes a sequence of its own. A slow view misses pages that were overtaken.
    public var pages: AsyncStream<JuicePage> {
        let (pages, follower) = AsyncStream<JuicePage>.makeStream(bufferingPolicy: .bufferingNewest(1))
        followersSoFar += 1
        let number = followersSoFar
        followers[number] = follower
        follower.onTermination = { [weak self] _ in
            Task { @MainActor [weak self] in self?.followers[number] = nil }
        }
        follower.yield(page)
        return pages
    }

    // MARK: The person's input

    /// Presses a button of the page. If the page has no such button any more, nothing happens.
    public func press(_ command: Command) {
        handle(.pressed(command))
    }

    /// Goes back: leaves a form unchanged, or cancels the work that is under way.
    public func goBack() {
        handle(.left)
    }

    /// Takes a form that the person has filled in.
    public func submit(_ form: LoginForm) {
        handle(.submitted(form))
    }

    /// Logs in with the form of the first page.
    public func logIn(email: String, password: String) {
        handle(.pressed(.logIn))
        var form = LoginForm(.logIn)
        form[.email] = email
        form[.password] = password
        handle(.submitted(form))
    }

    /// Changes a value of the profile.
    public func update(_ edit: ProfileEdit) {
        handle(.edited(edit))
    }

    /// Takes a link from a mail that has opened the app.
    /// - Returns: whether it is a link of the account service.
    @discardableResult
    public func open(_ url: URL) -> Bool {
        guard let link = EmailLink(url) else { return false }
        handle(.linkOpened(link))
        return true
    }

    // MARK: The app's own sign-in

    /// Takes the result of Apple's button of ``AccountClient``.
    public func finish(_ result: Result<Account, AccountClientError>) {
        switch result {
        case .success(let account): handle(.signedIn(Profile(account)))
        case .failure(let error): handle(.signInEnded(LoginNotice(error)))
        }
    }

    /// Signs in with the credential of the app's own `ASAuthorizationController`.
    public func signIn(with credential: AppleCredential) {
        handle(.credentialCame)
        Task { [client, weak self] in
            do throws(AccountClientError) {
                let account = try await client.signIn(with: credential)
                self?.finish(.success(account))
            } catch {
                self?.finish(.failure(error))
            }
        }
    }

    // MARK: Pages

    private func handle(_ event: Event) {
        for effect in model.handle(event) { work.perform(effect) }
        let next = JuicePage(model, clock: clockTime)
        guard next != page else { return }
        page = next
        for follower in followers.values { follower.yield(next) }
    }
}

/// A time of day in the person's own form; with the day if that is not today.
private func clockTime(_ date: Date) -> String {
    let isToday = Calendar.current.isDateInToday(date)
    return date.formatted(date: isToday ? .omitted : .abbreviated, time: .shortened)
}
