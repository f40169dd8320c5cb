import JuiceScreens
import SwiftUI

/// The way from a password to Sign in with Apple: what becomes of sessions elsewhere, and then Apple's sheet.
struct UpgradeView: View {
    let juice: JuiceViewModel
    let page: JuicePage

    var body: some View {
        VStack(alignment: .leading, spacing: 16) {
            BlocksView(blocks: page.blocks)
            ForEach(page.buttons, id: \.self) { command in
                Button(command.title) { juice.press(command) }
                    .buttonStyle(.bordered)
            }
        }
        .padding()
    }
}
