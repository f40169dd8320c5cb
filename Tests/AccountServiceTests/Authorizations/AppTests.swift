import AppleID
import AppleIDTypes
import Crypto
import Testing

@testable import AccountService

@Suite("The configured apps")
struct AppTests {
    private let clients: [ClientID: ClientRegistration]

    init() throws {
        let key = try AppleClientKey(id: "K", team: "T", pem: P256.Signing.PrivateKey().pemRepresentation)
        clients = [
            "com.example.juice": ClientRegistration(id: "com.example.juice", kind: .app, key: key),
            "com.example.web": ClientRegistration(id: "com.example.web", kind: .service, key: key),
        ]
    }

    @Test("may have a Services ID, bundle ids, or both")
    func accepted() throws {
        try App.check(
            [
                App(id: "a", name: "A", servicesID: "com.example.web", returnTargets: [.loopback]),
                App(id: "b", name: "B", bundleIDs: ["com.example.juice"], servicesID: nil),
                App(id: "c", name: "C", bundleIDs: ["com.example.juice"], servicesID: "com.example.web"),
            ], clients: clients)
    }

    @Test(
        "are refused if they can't work as configured",
        arguments: [
            [App(id: "a", name: "A", servicesID: nil)],
            [App(id: "a", name: "A", servicesID: "com.example.other")],
            [App(id: "a", name: "A", servicesID: "com.example.juice")],
            [App(id: "a", name: "A", bundleIDs: ["com.example.web"], servicesID: nil)],
            [App(id: "a", name: "A", bundleIDs: ["com.example.other"], servicesID: "com.example.web")],
            [App(id: "a", name: "A", bundleIDs: ["com.example.juice"], servicesID: nil, returnTargets: [.loopback])],
            [App(id: "", name: "A", servicesID: "com.example.web")],
            [App(id: "a", name: "", servicesID: "com.example.web")],
            [
                App(id: "a", name: "A", servicesID: "com.example.web"),
                App(id: "a", name: "B", servicesID: "com.example.web"),
            ],
        ])
    func refused(apps: [App]) {
        #expect(throws: AccountError(.configuration, "")) { try App.check(apps, clients: clients) }
    }
}
