import JuiceScreens
import SwiftUI

/// The values that the person can change. Each is sent by itself, because each may need its own consent.
struct ProfileView: View {
    let juice: JuiceViewModel
    let page: JuicePage
    let profile: Profile
    @State private var givenName = ""
    @State private var familyName = ""
    @State private var contactEmail = ""
    @State private var phone = ""

    var body: some View {
        Form {
            RemarkSection(page: page)
            Section("Name") {
                TextField("Given Name", text: $givenName)
                TextField("Family Name", text: $familyName)
                Button("Save Name") { juice.update(.name(givenName: givenName, familyName: familyName)) }
            }
            Section {
                TextField("Contact Address", text: $contactEmail)
                    .typedAsAddress()
                Button("Save Address") { juice.update(.contactEmail(contactEmail)) }
            } footer: {
                if let pending = profile.pendingContactEmail {
                    Text("To confirm \(pending), open the link in the mail that was sent there.")
                }
            }
            Section {
                TextField("Phone", text: $phone)
                Button("Save Phone") { juice.update(.phone(phone)) }
            } footer: {
                Text("Nobody verifies the phone number.")
            }
            ButtonsSection(juice: juice, page: page)
        }
        .onAppear {
            givenName = profile.givenName ?? ""
            familyName = profile.familyName ?? ""
            contactEmail = profile.pendingContactEmail ?? profile.contactEmail ?? ""
            phone = profile.phone ?? ""
        }
    }
}
