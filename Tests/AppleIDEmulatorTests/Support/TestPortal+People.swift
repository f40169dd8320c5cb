@testable import AppleIDEmulator

extension TestPortal {
    /// Every kind of account.
    static let withAllKinds: Portal = {
        var portal = TestPortal.portal
        portal.people += [
            Portal.Person(
                id: "dafni", email: "dafni@example.net", name: "Dafni P",
                otherEmails: ["d@example.org", "p@example.org"]),
            Portal.Person(
                id: "ida", email: "ida@school.example.edu", name: "Ida L", otherEmails: [], organizationID: "school-1",
                emailVerified: false),
            Portal.Person(id: "ian", email: "", name: "Ian L", organizationID: "school-1"),
            Portal.Person(id: "otto", email: "otto@example.org", name: "Otto K", twoFactor: false),
            Portal.Person(id: "kim", email: "kim@example.org", name: "Kim K", child: true),
            Portal.Person(id: "pia", email: "pia@example.org", name: "Pia P", password: "apple pie"),
        ]
        return portal
    }()
}
