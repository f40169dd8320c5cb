import JuiceScreens
import UIKit

/// The values that the person can change. Each is sent by itself, because each may need its own consent.
final class ProfileViewController: ColumnViewController {
    private let juice: JuiceViewModel
    private let page: JuicePage
    /// The values as the account has them.
    let profile: Profile

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
        let givenName = addField("Given Name", type: .givenName)
        givenName.text = profile.givenName
        givenName.autocapitalizationType = .words
        let familyName = addField("Family Name", type: .familyName)
        familyName.text = profile.familyName
        familyName.autocapitalizationType = .words
        addButton("Save Name") { [juice] in
            juice.update(.name(givenName: givenName.text ?? "", familyName: familyName.text ?? ""))
        }
        let contactEmail = addField("Contact Address", type: .emailAddress)
        contactEmail.text = profile.pendingContactEmail ?? profile.contactEmail
        contactEmail.keyboardType = .emailAddress
        if let pending = profile.pendingContactEmail {
            add("To confirm \(pending), open the link in the mail that was sent there.", style: .footnote)
        }
        addButton("Save Address") { [juice] in juice.update(.contactEmail(contactEmail.text ?? "")) }
        let phone = addField("Phone", type: .telephoneNumber)
        phone.text = profile.phone
        phone.keyboardType = .phonePad
        addButton("Save Phone") { [juice] in juice.update(.phone(phone.text ?? "")) }
        for command in page.buttons {
            addButton(command.title) { [juice] in juice.press(command) }
        }
    }
}
