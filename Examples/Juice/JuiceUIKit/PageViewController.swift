import JuiceScreens
import UIKit

/// Any page as its words and buttons.
final class PageViewController: ColumnViewController {
    private let juice: JuiceViewModel
    private let page: JuicePage

    init(juice: JuiceViewModel, page: JuicePage) {
        self.juice = juice
        self.page = page
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        for block in page.blocks { add(block) }
        for command in page.buttons {
            addButton(command.title) { [juice] in juice.press(command) }
        }
    }

    private func add(_ block: ScreenBlock) {
        switch block {
        case .text(let text, .title): add(text, style: .headline)
        case .text(let text, .note): add(text, style: .footnote, color: .secondaryLabel)
        case .text(let text, .problem): add(text, color: .systemRed)
        case .text(let text, .plain), .paragraph(let text), .address(let text): add(text)
        case .code(let code): add(code, style: .title1)
        case .value(let caption, let value): add(caption: caption, value: value)
        case .entry, .formEntry, .secret, .gap, .buttons: break
        }
    }
}
