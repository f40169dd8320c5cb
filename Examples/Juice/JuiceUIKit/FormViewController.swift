import JuiceScreens
import UIKit

/// A form with all of its fields at once.
final class FormViewController: ColumnViewController {
    private let juice: JuiceViewModel
    private let page: JuicePage
    private var form: LoginForm
    private var fields: [(field: LoginForm.Field, view: UITextField)] = []

    /// The thing that the form is for.
    var purpose: LoginForm.Purpose { form.purpose }

    init(juice: JuiceViewModel, page: JuicePage, form: LoginForm) {
        self.juice = juice
        self.page = page
        self.form = form
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        show(remark: page.remark)
        add(purpose.title, style: .headline)
        for field in purpose.fields {
            let view = addField(field.caption, type: Self.contentType(of: field), isSecret: field.isSecret)
            view.keyboardType = field == .email ? .emailAddress : .default
            view.text = form[field]
            fields.append((field, view))
        }
        if let explanation = purpose.explanation { add(explanation, style: .footnote, color: .secondaryLabel) }
        addButton("Continue") { [weak self] in self?.submit() }
        addButton("Cancel") { [juice] in juice.goBack() }
    }

    private func submit() {
        for (field, view) in fields { form[field] = view.text ?? "" }
        juice.submit(form)
    }

    /// The kind of value for which the system offers what it has saved.
    private static func contentType(of field: LoginForm.Field) -> UITextContentType? {
        switch field {
        case .email: .username
        case .password: .password
        case .newPassword: .newPassword
        case .link: nil
        }
    }
}
