import JuiceScreens
import SwiftUI

/// A form with all of its fields at once: a new account, a link from a mail, a password.
struct FormView: View {
    let juice: JuiceViewModel
    let page: JuicePage
    @State private var form: LoginForm

    init(juice: JuiceViewModel, page: JuicePage, form: LoginForm) {
        self.juice = juice
        self.page = page
        _form = State(initialValue: form)
    }

    var body: some View {
        Form {
            RemarkSection(page: page)
            Section {
                ForEach(form.purpose.fields, id: \.self) { field in
                    if field.isSecret {
                        SecureField(field.caption, text: $form[field])
                            .textContentType(field == .newPassword ? .newPassword : .password)
                    } else {
                        TextField(field.caption, text: $form[field])
                            .textContentType(field == .email ? .username : nil)
                            .typedAsAddress()
                    }
                }
            } header: {
                Text(form.purpose.title)
            } footer: {
                if let explanation = form.purpose.explanation { Text(explanation) }
            }
            Section {
                Button("Continue") { juice.submit(form) }
                Button("Cancel", role: .cancel) { juice.goBack() }
            }
        }
    }
}
