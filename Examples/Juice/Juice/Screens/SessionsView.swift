import JuiceScreens
import SwiftUI

/// The places where the person is signed in. Each of the others can be ended.
struct SessionsView: View {
    let juice: JuiceViewModel
    let page: JuicePage
    let rows: [SessionRow]

    var body: some View {
        Form {
            RemarkSection(page: page)
            Section("Sessions") {
                ForEach(rows, id: \.id) { row in
                    LabeledContent {
                        if let number = number(of: row) {
                            Button("End", role: .destructive) { juice.press(.end(number)) }
                        } else if row.isCurrent {
                            Text("this device")
                        }
                    } label: {
                        Text(row.deviceName ?? (row.isBrowser ? "A browser" : "A device without a name"))
                        Text(row.lastUsedAt.formatted())
                    }
                }
            }
            ButtonsSection(juice: juice, page: page, without: rows.others.map { .end($0.number) })
        }
    }

    private func number(of row: SessionRow) -> Int? {
        rows.others.first { $0.row.id == row.id }?.number
    }
}
