import JuiceScreens
import SwiftUI

/// A screen of words and buttons.
struct QuestionView: View {
    let juice: JuiceViewModel
    let page: JuicePage

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 12) {
                BlocksView(blocks: page.blocks)
                ForEach(page.buttons, id: \.self) { command in
                    Button(command.title) { juice.press(command) }
                        .buttonStyle(.bordered)
                }
            }
            .padding()
        }
    }
}

/// Juice works, and the person waits.
struct BusyView: View {
    let juice: JuiceViewModel
    let page: JuicePage

    var body: some View {
        VStack(spacing: 12) {
            ProgressView()
            BlocksView(blocks: page.blocks)
        }
        .padding()
    }
}
