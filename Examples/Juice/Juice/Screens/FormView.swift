import JuiceScreens
import SwiftUI

/// A form with all of its fields at once: a new account, a link from a mail, a password.
struct FormView: View {
    let juice: JuiceViewModel
    @State private var form: LoginForm

    init(juice: JuiceViewModel, form: LoginForm) {
        self.juice = juice
        _form = State(initialValue: form)
    }

    var body: some View {
        Form {
            Section {
                ForEach(form.purpose.fields, id: \.self) { field in
                    if field.isSecret {
                        SecureField(field.caption, text: $form[field])
                            .textContentType(field == .newPassword ? .newPassword : .password)
                    } else {
                        TextField(field.caption, text: $form[field])
                            .textContentType(.username)
                            .autocorrectionDisabled()
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
