import JuiceScreens
import SwiftUI

/// The text that the person reads before they say whether they agree, in parts if it is long.
struct ConsentView: View {
    let juice: JuiceViewModel
    let page: JuicePage
    let reading: ConsentReading

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

/// The texts that the person has agreed to. A consent in force can be withdrawn.
struct ConsentsView: View {
    let juice: JuiceViewModel
    let page: JuicePage
    let rows: [ConsentRow]

    var body: some View {
        Form {
            RemarkSection(page: page)
            Section("Consents") {
                if rows.isEmpty { Text("You have agreed to nothing.") }
                ForEach(rows, id: \.id) { row in
                    LabeledContent {
                        if let number = number(of: row) {
                            Button("Withdraw", role: .destructive) { juice.press(.withdraw(number)) }
                        } else {
                            Text("withdrawn")
                        }
                    } label: {
                        Text("Your \(row.purpose), since \(row.givenAt.formatted(date: .abbreviated, time: .omitted))")
                    }
                }
            }
            Button(Command.back.title) { juice.press(.back) }
        }
    }

    private func number(of row: ConsentRow) -> Int? {
        rows.inForce.first { $0.row.id == row.id }?.number
    }
}
