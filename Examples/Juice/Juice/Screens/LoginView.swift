import AccountClient
import JuiceScreens
import SwiftUI

/// The first screen of Apple's sample: a form for address and password, and Apple's button.
struct LoginView: View {
    let juice: JuiceViewModel
    let page: JuicePage
    let notice: LoginNotice?
    @State private var email = ""
    @State private var password = ""

    var body: some View {
        Form {
            if let notice {
                Section { NoticeText(notice: notice) }
            }
            RemarkSection(page: page)
            Section {
                TextField("Email", text: $email)
                    .textContentType(.username)
                    .typedAsAddress()
                SecureField("Password", text: $password)
                    .textContentType(.password)
                    .onSubmit { logIn() }
                Button("Log In") { logIn() }
                    .disabled(email.isEmpty || password.isEmpty)
            }
            Section {
                ForEach(page.buttons.filter { $0.isOfForm && $0 != .logIn }, id: \.self) { command in
                    Button(command.title) { juice.press(command) }
                }
            }
            Section {
                appleButton
                ForEach(page.buttons.filter { !$0.isOfForm && $0 != .signIn }, id: \.self) { command in
                    Button(command.title) { juice.press(command) }
                }
            }
        }
        .onAppear { email = page.email }
    }

    /// Apple's own button asks Apple. Against `siwa demo` a button of ours opens the emulator's page.
    @ViewBuilder private var appleButton: some View {
        if juice.settings.signsInByBrowser {
            Button(Command.signIn.title) { juice.press(.signIn) }
                .buttonStyle(.borderedProminent)
        } else {
            AccountSignInButton(client: juice.client) { result in juice.finish(result) }
                .frame(height: 44)
        }
    }

    private func logIn() {
        juice.logIn(email: email, password: password)
    }
}

/// A notice in the style of what it says.
struct NoticeText: View {
    let notice: LoginNotice

    var body: some View {
        Text(notice.text)
            .foregroundStyle(notice.kind == .problem ? Color.red : Color.secondary)
    }
}
