import AppleIDTypes

@testable import AppleIDEmulator

/// Two teams. The first has a group of two App IDs and a Services ID, and an app apart.
enum TestPortal {
    static let key = Portal.Key.generated(id: "KEYJUICE01")
    static let otherGroupKey = Portal.Key.generated(id: "KEYSODA001")
    static let otherTeamKey = Portal.Key.generated(id: "KEYCIDER01")

    static let portal = Portal(
        baseURL: "http://127.0.0.1:4010",
        issuer: "https://appleid.apple.com",
        teams: [
            Portal.Team(
                id: "JUICETEAM1", name: "Juice Makers",
                apps: [
                    Portal.App(
                        id: "com.example.juice", name: "Juice",
                        services: [
                            Portal.Service(
                                id: "com.example.juice.web", domains: ["localhost"],
                                returnURLs: [
                                    TestEmulator.callback, "https://juice.example.com/callback?from=apple",
                                    "https://192.0.2.7/callback", "http://127.0.0.1:4000/callback",
                                ])
                        ],
                        keys: [key]),
                    Portal.App(id: "com.example.juice.mini", name: "Juice Mini", primary: "com.example.juice"),
                    Portal.App(id: "com.example.soda", name: "Soda", keys: [otherGroupKey]),
                ]),
            Portal.Team(
                id: "CIDERTEAM2", name: "Cider Makers",
                apps: [
                    Portal.App(
                        id: "org.example.cider", name: "Cider",
                        services: [
                            Portal.Service(
                                id: "org.example.cider.web", domains: [], returnURLs: ["https://cider.example.org/back"]
                            )
                        ],
                        keys: [otherTeamKey])
                ]),
        ],
        people: [
            Portal.Person(id: "johnny", email: "johnny@example.com", name: "Johnny Appleseed"),
            Portal.Person(id: "mono", email: "mono@example.com", name: "Mononym"),
            Portal.Person(
                id: "mallory", email: "'&amp`{{id}}@example.com",
                name: "<script>alert(1)</script> \"\u{301} autofocus x='"),
        ]
    )
}
