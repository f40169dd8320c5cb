import JuiceScreens
import SwiftUI

/// Shows one page of the model after the other.
struct RootView: View {
    let juice: JuiceViewModel
    @State private var page: JuicePage
    @State private var web: WebSignIn?

    init(juice: JuiceViewModel) {
        self.juice = juice
        _page = State(initialValue: juice.page)
    }

    var body: some View {
        NavigationStack {
            PageView(juice: juice, page: page)
                .formStyle(.grouped)
                .navigationTitle("Juice")
        }
        .task {
            juice.start()
            for await next in juice.pages { page = next }
        }
        .onChange(of: page.webPage) { _, next in
            let browser = web ?? WebSignIn(window: { AppWindow.current }, onClose: { juice.press(.cancel) })
            web = browser
            browser.show(next)
        }
        .onOpenURL { url in juice.open(url) }
    }
}

/// Chooses the view of a page's screen.
struct PageView: View {
    let juice: JuiceViewModel
    let page: JuicePage

    var body: some View {
        switch page.screen {
        case .login(let notice): LoginView(juice: juice, page: page, notice: notice)
        case .form(let form): FormView(juice: juice, page: page, form: form).id(form.purpose)
        case .result(let profile): ResultView(juice: juice, page: page, profile: profile)
        case .profile(let profile): ProfileView(juice: juice, page: page, profile: profile)
        case .consent(let reading): ConsentView(juice: juice, page: page, reading: reading)
        case .consents(let rows): ConsentsView(juice: juice, page: page, rows: rows)
        case .sessions(let rows): SessionsView(juice: juice, page: page, rows: rows)
        case .waysIn(let ways): WaysInView(juice: juice, page: page, ways: ways)
        case .confirmingDeletion, .deleting: DeletionView(juice: juice, page: page)
        case .confirmingUpgrade, .upgrading: UpgradeView(juice: juice, page: page)
        case .looking, .signingOut, .askingSessions, .askingProfile, .loggingIn, .askingWaysIn:
            BusyView(juice: juice, page: page)
        case .waiting, .changingWaysIn, .offeringSaved, .offeringToSave, .editing, .confirmingWithdrawal,
            .confirmingRemoval, .conflict, .confirmingMerge:
            QuestionView(juice: juice, page: page)
        }
    }
}
