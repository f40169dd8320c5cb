import AppleIDTypes

/// The body of `POST /emulator/portal/services/verify`: which domain of which Services ID, and where it is reached.
struct WebDomainOrder: Sendable {
    let service: ClientID
    let domain: String
    /// `http` or `https`, a host, and a port if wanted. Named, because a made-up domain is nowhere, and a real one is
    /// not for an emulator to visit by itself.
    let webServer: String

    init(_ bytes: [UInt8]) throws(Refusal) {
        var order = try Members(bytes)
        service = ClientID(try order.required("id"))
        domain = try order.required("domain")
        webServer = try order.required("webServer")
        try order.checkNothingIsLeft()
    }
}
