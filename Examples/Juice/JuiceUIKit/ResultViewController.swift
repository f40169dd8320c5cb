import JuiceScreens
import UIKit

/// The account of the person who is signed in.
final class ResultViewController: ColumnViewController {
    private let juice: JuiceViewModel
    private let page: JuicePage
    private let profile: Profile

    init(juice: JuiceViewModel, page: JuicePage, profile: Profile) {
        self.juice = juice
        self.page = page
        self.profile = profile
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        show(remark: page.remark)
        add(caption: "User Identifier", value: profile.userIdentifier)
        add(caption: "Given Name", value: profile.givenName)
        add(caption: "Family Name", value: profile.familyName)
        add(caption: "Email", value: profile.email)
        for command in page.buttons {
            addButton(command.title) { [juice] in juice.press(command) }
        }
    }
}
