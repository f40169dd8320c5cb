import Testing
import WellKnownFiles

@Suite("An apple-app-site-association")
struct AppSiteAssociationTests {
    private func read(_ text: String) throws -> AppSiteAssociation {
        try AppSiteAssociation(Array(text.utf8))
    }

    @Test("names the apps of each service")
    func services() throws {
        let file = try read(
            """
            {
              "applinks": {
                "defaults": {"caseSensitive": false},
                "details": [
                  {
                    "appIDs": ["ABCDE12345.com.example.juice", "ABCDE12345.com.example.cider-2"],
                    "components": [
                      {"#": "no_links", "exclude": true, "comment": "not these"},
                      {"/": "/orders/*", "?": {"number": "????"}, "caseSensitive": false},
                      {"/": "/help/*", "?": "a=b", "percentEncoded": false, "future": {}}
                    ]
                  }
                ]
              },
              "webcredentials": {"apps": ["ABCDE12345.com.example.juice"]},
              "appclips": {"apps": ["ABCDE12345.com.example.juice.Clip"]},
              "activitycontinuation": {"apps": []}
            }
            """)
        #expect(file.universalLinks?.map(\.bundleID) == ["com.example.juice", "com.example.cider-2"])
        #expect(file.webCredentials?.map(\.description) == ["ABCDE12345.com.example.juice"])
        #expect(file.appClips?.map(\.bundleID) == ["com.example.juice.Clip"])
        #expect(file.appClips?.map(\.prefix) == ["ABCDE12345"])
        #expect(file.handoff == [])
    }

    @Test("may have the form from before iOS 13, and leave services out")
    func formerForm() throws {
        let file = try read(
            """
            {"applinks": {"apps": [], "details": [{"appID": "ABCDE12345.com.example.juice", "paths": ["/a/*", "NOT /b"]}]}}
            """)
        #expect(file.universalLinks?.count == 1)
        #expect(file.webCredentials == nil && file.appClips == nil && file.handoff == nil)
    }

    @Test(
        "has app ids of ten capital letters and digits, a dot and a bundle id",
        arguments: [
            "com.example.juice", "ABCDE12345", "ABCDE12345.", "ABCDE1234.com.example.juice",
            "ABCDE123456.com.example.juice", "abcde12345.com.example.juice", "ABCDE12345.com..juice",
            "ABCDE12345.com.example.*", "ABCDE12345.com.example juice", "ABCDE12345.com.example.jüice",
            "ABCDE12345..com", "TEAMID.bundle.id", "",
        ])
    func appIDs(id: String) {
        Fault(
            #"{"webcredentials": {"apps": ["ABCDE12345.com.example.cider", "\#(id)"]}}"#, .malformed,
            at: "webcredentials.apps[1]", "`\(id)` is no app id; write the Team ID"
        ).expect(of: .appSiteAssociation)
        Fault(
            #"{"applinks": {"details": [{"appIDs": ["\#(id)"]}]}}"#, .malformed, at: "applinks.details[0].appIDs[0]",
            "is no app id"
        ).expect(of: .appSiteAssociation)
    }

    @Test(
        "is refused with the member that is wrong",
        arguments: [
            Fault("\u{FEFF}{}", .notJSON, "is not JSON: malformed at byte 0"),
            Fault("{", .notJSON, "is not JSON: malformed"),
            Fault(#"{"applinks": {}, "applinks": {}}"#, .notJSON, "duplicate_member"),
            Fault("[]", .wrongKind, "must be an object"),
            Fault("{}", .missing, "has none of webcredentials, applinks"),
            Fault(#"{"webCredentials": {"apps": []}}"#, .missing, "has none of webcredentials, applinks"),
            Fault(#"{"webcredentials": []}"#, .wrongKind, at: "webcredentials", "must be an object"),
            Fault(#"{"webcredentials": {}}"#, .missing, at: "webcredentials", "has no `apps`"),
            Fault(#"{"webcredentials": {"apps": "A"}}"#, .wrongKind, at: "webcredentials.apps", "must be a list"),
            Fault(#"{"webcredentials": {"apps": [1]}}"#, .wrongKind, at: "webcredentials.apps[0]", "must be a text"),
            Fault(#"{"appclips": {"apps": ["x"]}}"#, .malformed, at: "appclips.apps[0]", "is no app id"),
            Fault(
                #"{"activitycontinuation": {"apps": ["x"]}}"#, .malformed, at: "activitycontinuation.apps[0]",
                "is no app id"),
            Fault(#"{"applinks": {"apps": []}}"#, .missing, at: "applinks", "has no `details`"),
            Fault(
                #"{"applinks": {"details": {"ABCDE12345.com.example.juice": {}}}}"#, .wrongKind,
                at: "applinks.details", "must be a list of objects"),
            Fault(#"{"applinks": {"details": [[]]}}"#, .wrongKind, at: "applinks.details[0]", "must be an object"),
            Fault(
                #"{"applinks": {"details": [{"components": []}]}}"#, .missing, at: "applinks.details[0]",
                "has no `appIDs`"),
            detail(#""components": {}"#, .wrongKind, at: "components", "must be a list of objects"),
            detail(#""components": ["/*"]"#, .wrongKind, at: "components[0]", "must be an object"),
            detail(#""components": [{"/": 1}]"#, .wrongKind, at: "components[0]./", "must be a text"),
            detail(#""components": [{"exclude": "yes"}]"#, .wrongKind, at: "components[0].exclude", "true or false"),
            detail(#""components": [{"?": {"a": 1}}]"#, .wrongKind, at: "components[0].?", "must be a text, or an"),
            detail(#""components": [{"?": []}]"#, .wrongKind, at: "components[0].?", "must be a text, or an object"),
            detail(#""paths": "*""#, .wrongKind, at: "paths", "must be a list of texts"),
            detail(#""appID": "x""#, .malformed, at: "appID", "is no app id"),
        ])
    func refused(fault: Fault) {
        fault.expect(of: .appSiteAssociation)
    }

    /// A fault in an element of `details` that has a good app.
    private static func detail(
        _ members: String, _ code: WellKnownFileError.Code, at place: String, _ reason: String
    ) -> Fault {
        Fault(
            #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.juice"], \#(members)}]}}"#, code,
            at: "applinks.details[0].\(place)", reason)
    }
}
