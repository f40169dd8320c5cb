import Foundation
import JuiceScreens
import SwiftUI

/// The words and values of a page, in the order of the terminal's.
struct BlocksView: View {
    let blocks: [ScreenBlock]

    var body: some View {
        ForEach(Array(blocks.enumerated()), id: \.offset) { item in
            BlockView(block: item.element)
        }
    }
}

/// One block. Forms and buttons have views of their own.
private struct BlockView: View {
    let block: ScreenBlock

    var body: some View {
        switch block {
        case .text(let text, .title): Text(text).font(.headline)
        case .text(let text, .plain), .paragraph(let text): Text(text)
        case .text(let text, .note): Text(text).font(.footnote).foregroundStyle(Color.secondary)
        case .text(let text, .problem): Text(text).foregroundStyle(Color.red)
        case .value(let caption, let value): LabeledContent(caption, value: value ?? "–")
        case .address(let text): AddressView(text: text)
        case .code(let code): Text(code).font(.title).textSelection(.enabled)
        case .entry, .formEntry, .secret, .gap, .buttons: EmptyView()
        }
    }
}

/// A web address that the person opens.
private struct AddressView: View {
    let text: String

    var body: some View {
        if let url = URL(string: text) { Link(text, destination: url) } else { Text(text) }
    }
}
