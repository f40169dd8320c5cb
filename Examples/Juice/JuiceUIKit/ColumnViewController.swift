import UIKit

/// A view controller with one column of views, from top to bottom.
class ColumnViewController: UIViewController {
    let column = UIStackView()
    private let remarkLabel = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        remarkLabel.font = .preferredFont(forTextStyle: .footnote)
        remarkLabel.textColor = .secondaryLabel
        remarkLabel.numberOfLines = 0
        show(remark: nil)
        column.addArrangedSubview(remarkLabel)
        column.axis = .vertical
        column.spacing = 12
        column.translatesAutoresizingMaskIntoConstraints = false
        let scroll = UIScrollView()
        scroll.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(scroll)
        scroll.addSubview(column)
        let guide = view.safeAreaLayoutGuide
        NSLayoutConstraint.activate([
            scroll.leadingAnchor.constraint(equalTo: guide.leadingAnchor),
            scroll.trailingAnchor.constraint(equalTo: guide.trailingAnchor),
            scroll.topAnchor.constraint(equalTo: guide.topAnchor),
            scroll.bottomAnchor.constraint(equalTo: view.keyboardLayoutGuide.topAnchor),
            column.leadingAnchor.constraint(equalTo: scroll.contentLayoutGuide.leadingAnchor, constant: 20),
            column.trailingAnchor.constraint(equalTo: scroll.contentLayoutGuide.trailingAnchor, constant: -20),
            column.topAnchor.constraint(equalTo: scroll.contentLayoutGuide.topAnchor, constant: 20),
            column.bottomAnchor.constraint(equalTo: scroll.contentLayoutGuide.bottomAnchor, constant: -20),
            column.widthAnchor.constraint(equalTo: scroll.frameLayoutGuide.widthAnchor, constant: -40),
        ])
    }

    /// Shows the news that the person should know, above all else; nil hides it.
    func show(remark: String?) {
        remarkLabel.text = remark
        remarkLabel.isHidden = remark == nil
    }

    func add(_ text: String, style: UIFont.TextStyle = .body, color: UIColor = .label) {
        let label = UILabel()
        label.text = text
        label.font = .preferredFont(forTextStyle: style)
        label.textColor = color
        label.numberOfLines = 0
        label.adjustsFontForContentSizeCategory = true
        column.addArrangedSubview(label)
    }

    func add(caption: String, value: String?) {
        add(caption, style: .caption1, color: .secondaryLabel)
        add(value ?? "–")
    }

    @discardableResult
    func addButton(_ title: String, press: @escaping () -> Void) -> UIButton {
        let button = UIButton(type: .system)
        button.setTitle(title, for: .normal)
        button.addAction(UIAction { _ in press() }, for: .touchUpInside)
        column.addArrangedSubview(button)
        return button
    }

    func addField(_ placeholder: String, type: UITextContentType?, isSecret: Bool = false) -> UITextField {
        let field = UITextField()
        field.placeholder = placeholder
        field.borderStyle = .roundedRect
        field.textContentType = type
        field.isSecureTextEntry = isSecret
        field.autocapitalizationType = .none
        field.autocorrectionType = .no
        column.addArrangedSubview(field)
        return field
    }
}

/// A mistake in the settings, which no person can mend.
final class MistakeViewController: ColumnViewController {
    private let text: String

    init(text: String) {
        self.text = text
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        add(text)
    }
}
