import AppleIDTypes
import StrictJSON

/// The body of `POST /emulator/authorizations`: a request and the person's decision in one, the sheet without a browser.
struct AuthorizationOrder: Sendable {
    let person: String
    let parameters: AuthorizationParameters
    let isNative: Bool
    let isCancelled: Bool
    let firstName: String?
    let lastName: String?
    let hidesEmail: Bool?

    init(_ bytes: [UInt8]) throws(Refusal) {
        let root: JSONValue
        do {
            root = try JSONDocument(bytes).root
        } catch {
            throw Refusal("invalid_json", "The body is not acceptable JSON: \(error.code) at byte \(error.offset).")
        }
        var order = try Members(root, path: "")
        guard let person = try order.string("person") else { throw Members.refused("person", "is missing") }
        self.person = person
        isNative = try order.bool("native") ?? false
        var parameters = AuthorizationParameters()
        parameters.clientID = try order.string("clientID")
        parameters.redirectURI = try order.string("redirectURI")
        parameters.responseType = try order.string("responseType")
        parameters.responseMode = try order.string("responseMode")
        parameters.scope = try order.string("scope")
        parameters.state = try order.string("state")
        parameters.nonce = try order.string("nonce")
        self.parameters = parameters
        switch try order.string("decision") {
        case nil, "continue": isCancelled = false
        case "cancel": isCancelled = true
        default: throw Members.refused("decision", "must be \"continue\" or \"cancel\"")
        }
        hidesEmail = try order.bool("hideEmail")
        if let value = order.value("name") {
            var name = try Members(value, path: "name.")
            firstName = try name.string("firstName")
            lastName = try name.string("lastName")
            try name.checkNothingIsLeft()
        } else {
            firstName = nil
            lastName = nil
        }
        try order.checkNothingIsLeft()
    }

    /// What was not said is as the sheet proposes it.
    func consent(of person: Portal.Person) -> Consent {
        var consent = Consent(proposedFor: person)
        consent.firstName = firstName ?? consent.firstName
        consent.lastName = lastName ?? consent.lastName
        consent.hidesEmail = hidesEmail ?? consent.hidesEmail
        return consent
    }
}

/// An object's members, taken one by one. A null counts as absent; what is not taken is an error.
private struct Members {
    private let object: JSONValue
    private let path: String
    private var left: Set<String>

    init(_ value: JSONValue, path: String) throws(Refusal) {
        guard value.kind == .object else { throw Self.refused(String(path.dropLast()), "must be an object") }
        object = value
        self.path = path
        left = Set(value.members.map(\.name))
    }

    mutating func value(_ name: String) -> JSONValue? {
        left.remove(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    mutating func string(_ name: String) throws(Refusal) -> String? {
        guard let value = value(name) else { return nil }
        guard let string = value.string else { throw Self.refused(path + name, "must be a string") }
        return string
    }

    mutating func bool(_ name: String) throws(Refusal) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let bool = value.bool else { throw Self.refused(path + name, "must be true or false") }
        return bool
    }

    func checkNothingIsLeft() throws(Refusal) {
        if let name = left.min() { throw Self.refused(path + name.prefix(80), "is not a member of this call") }
    }

    static func refused(_ name: String, _ reason: String) -> Refusal {
        Refusal(.invalidRequest, name.isEmpty ? "The body \(reason)." : "\(name) \(reason).")
    }
}
