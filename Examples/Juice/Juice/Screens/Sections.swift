import JuiceScreens
import SwiftUI

/// The news that the person should know, until they do something.
struct RemarkSection: View {
    let page: JuicePage

    var body: some View {
        if let remark = page.remark {
            Section { Text(remark).foregroundStyle(Color.secondary) }
        }
    }
}

/// The buttons of a page that no other view has.
struct ButtonsSection: View {
    let juice: JuiceViewModel
    let page: JuicePage
    var without: [Command] = []

    var body: some View {
        Section {
            ForEach(page.buttons.filter { !without.contains($0) }, id: \.self) { command in
                Button(command.title, role: command == .delete ? .destructive : nil) { juice.press(command) }
            }
        }
    }
}

extension View {
    /// Makes a field fit for an address or a link: no autocorrection, and on iOS no automatic capital letters.
    func typedAsAddress() -> some View {
        #if os(iOS)
            return autocorrectionDisabled().textInputAutocapitalization(.never).keyboardType(.emailAddress)
        #else
            return autocorrectionDisabled()
        #endif
    }
}
