extension PortalReader {
    func emailSource(_ members: inout Members) throws(Refusal) -> Portal.EmailSource {
        let source = Portal.EmailSource(
            source: try members.required("source"), spf: try check("spf", &members), dkim: try check("dkim", &members),
            webServer: try members.string("webServer"), verified: try members.bool("verified"))
        try members.checkNothingIsLeft()
        return source
    }

    private func check(_ name: String, _ members: inout Members) throws(Refusal) -> Portal.EmailSource.Check? {
        guard let word = try members.string(name) else { return nil }
        guard let check = Portal.EmailSource.Check(rawValue: word) else {
            throw Members.refused(members.path + name, "must be \"pass\", \"fail\" or \"none\"")
        }
        return check
    }
}
