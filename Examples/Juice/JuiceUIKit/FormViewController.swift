import JuiceScreens
import UIKit

/// A form with all of its fields at once.
final class FormViewController: ColumnViewController {
    private let juice: JuiceViewModel
    private var form: LoginForm
    private var fields: [(field: LoginForm.Field, view: UITextField)] = []

    init(juice: JuiceViewModel, form: LoginForm) {
        self.juice = juice
        self.form = form
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        add(form.purpose.title, style: .headline)
        for field in form.purpose.fields {
            let type: UITextContentType = field == .newPassword ? .newPassword : field.isSecret ? .password : .username
            let view = addField(field.caption, type: type, isSecret: field.isSecret)
            view.text = form[field]
            fields.append((field, view))
        }
        if let explanation = form.purpose.explanation { add(explanation, style: .footnote, color: .secondaryLabel) }
        addButton("Continue") { [weak self] in self?.submit() }
        addButton("Cancel") { [juice] in juice.goBack() }
    }

    private func submit() {
        for (field, view) in fields { form[field] = view.text ?? "" }
        juice.submit(form)
    }
}
