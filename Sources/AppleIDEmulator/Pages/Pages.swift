import AppleIDTypes
import Mustache
import NIOCore

/// The pages a person sees. They work without scripts, and each says that it is not Apple's.
struct Pages: Sendable {
    let peoplePage: MustacheTemplate
    let sheetPage: MustacheTemplate
    let refusedPersonPage: MustacheTemplate
    let deliveryPage: MustacheTemplate
    let messagePage: MustacheTemplate
    let passwordPage: MustacheTemplate
    let codePage: MustacheTemplate
    let requestsPage: MustacheTemplate
    let settings: SettingsPages
    let inbox: InboxPages
    private let refusalPage: MustacheTemplate
    private let indexPage: MustacheTemplate

    /// The style of all pages. All responses share its bytes.
    let stylesheet: ByteBuffer
    /// The icon of all pages, as SVG.
    let icon: String
    /// Sign in with Apple JS: a function that takes settings, without the line break at its end.
    let signInScript: String
    /// The script of a popup's last page.
    let messageScript: String
    /// The script that submits the form of `form_post`.
    let deliveryScript: String

    /// The pages of every emulator. Tests start thousands of emulators, and reading the templates takes long.
    static let shared: Result<Pages, any Error> = Result { try Pages() }

    /// Reads the files of `Sources/CEmulatorPages`.
    /// - Throws: when a template has a mistake, or a file isn't there.
    init() throws {
        MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)
        peoplePage = try Self.template("people")
        sheetPage = try Self.template("sheet")
        refusedPersonPage = try Self.template("refused-person")
        deliveryPage = try Self.template("delivery")
        messagePage = try Self.template("message")
        passwordPage = try Self.template("password")
        codePage = try Self.template("code")
        requestsPage = try Self.template("requests")
        settings = try SettingsPages()
        inbox = try InboxPages()
        refusalPage = try Self.template("refusal")
        indexPage = try Self.template("index")
        stylesheet = ByteBuffer(string: try PageFile.text("emulator.css"))
        icon = try PageFile.text("icon.svg")
        signInScript = String(try PageFile.text("sign-in.js").dropLast())
        messageScript = try PageFile.text("message.js")
        deliveryScript = try PageFile.text("delivery.js")
    }

    /// Puts the layout around the middle of a page. There are no partials: Mustache goes back to its own escaping
    /// inside of them.
    static func template(_ name: String) throws -> MustacheTemplate {
        try MustacheTemplate(
            string: PageFile.text("layout-top.mustache") + PageFile.text("\(name).mustache")
                + PageFile.text("layout-bottom.mustache"))
    }

    func refusal(_ refusal: Refusal) -> Page {
        let values: [String: Any] = [
            "title": "This cannot go on",
            "code": refusal.code.rawValue,
            "description": refusal.description,
            "isRequest": refusal.code.rawValue != Refusal.Code.notFound.rawValue,
        ]
        return Page(refusalPage.render(values), .forms)
    }

    func index(_ portal: Portal) -> Page {
        var clients: [[String: Any]] = []
        for team in portal.teams {
            for app in team.apps {
                clients.append(["id": app.id.rawValue, "kind": "App ID", "team": team.id.rawValue, "urls": [String]()])
                clients += app.services.map {
                    ["id": $0.id.rawValue, "kind": "Services ID", "team": team.id.rawValue, "urls": $0.returnURLs]
                }
            }
        }
        let values: [String: Any] = [
            "title": "Start",
            "base": portal.baseURL,
            "issuer": portal.issuer,
            "people": portal.people.map(Self.values),
            "clients": clients,
        ]
        return Page(indexPage.render(values), .forms)
    }

    static func values(_ person: Portal.Person) -> [String: Any] {
        let names = person.proposedName
        let initials = [names.first, names.last].compactMap { $0.first { $0.isLetter } }.map(String.init).joined()
        var values = ["id": person.id, "name": person.name, "email": person.email, "initials": initials.uppercased()]
        values["kind"] = kind(of: person)
        return values
    }

    /// The kind of an account that is not an ordinary one; nil for ordinary accounts.
    private static func kind(of person: Portal.Person) -> String? {
        var words: [String] = []
        if person.isManaged { words.append("managed by an organization") }
        if person.child == true { words.append("a child") }
        if !person.hasTwoFactor { words.append("without two-factor authentication") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
