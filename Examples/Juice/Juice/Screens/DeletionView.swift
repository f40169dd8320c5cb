import JuiceScreens
import SwiftUI

/// Asks once more before the account is deleted. A person who signed in some time ago is asked by Apple, too.
struct DeletionView: View {
    let juice: JuiceViewModel
    let page: JuicePage

    var body: some View {
        VStack(alignment: .leading, spacing: 16) {
            BlocksView(blocks: page.blocks)
            ForEach(page.buttons, id: \.self) { command in
                Button(command.title, role: command == .confirmDeletion ? .destructive : .cancel) {
                    juice.press(command)
                }
                .buttonStyle(.bordered)
            }
        }
        .padding()
    }
}
