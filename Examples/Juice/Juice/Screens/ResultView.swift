import JuiceScreens
import SwiftUI

/// The account of the person who is signed in, as Apple's ResultViewController shows it.
struct ResultView: View {
    let juice: JuiceViewModel
    let page: JuicePage
    let profile: Profile

    var body: some View {
        Form {
            RemarkSection(page: page)
            Section {
                LabeledContent("User Identifier", value: profile.userIdentifier)
                LabeledContent("Given Name", value: profile.givenName ?? "–")
                LabeledContent("Family Name", value: profile.familyName ?? "–")
                LabeledContent("Email", value: profile.email ?? "–")
                if let state = profile.appleState {
                    LabeledContent("Apple Account", value: state == .ended ? "no longer in use" : "in use")
                }
            } footer: {
                if !profile.isConfirmed { Text("The account service does not answer. This is what it said last.") }
            }
            ButtonsSection(juice: juice, page: page)
        }
    }
}
