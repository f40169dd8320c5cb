import JuiceScreens
import SwiftUI

/// The Apple Accounts, addresses and providers that open the account.
struct WaysInView: View {
    let juice: JuiceViewModel
    let page: JuicePage
    let ways: [WayIn]

    var body: some View {
        Form {
            RemarkSection(page: page)
            Section {
                ForEach(ways.numbered, id: \.way.id) { item in
                    LabeledContent {
                        if page.buttons.contains(.remove(item.number)) {
                            Button("Remove", role: .destructive) { juice.press(.remove(item.number)) }
                        }
                    } label: {
                        Text(item.way.name)
                        Text(item.way.isCurrent ? "opened this session" : item.way.lastSignInAt.formatted())
                    }
                }
            } header: {
                Text("Ways In")
            } footer: {
                Text("Each of these opens your account.")
            }
            ButtonsSection(juice: juice, page: page, without: ways.numbered.map { .remove($0.number) })
        }
    }
}
