import AppleIDTypes

extension Portal {
    /// Says whether there is such a team.
    mutating func register(_ source: EmailSource, for id: TeamID) -> Bool {
        guard let team = teams.firstIndex(where: { $0.id == id }) else { return false }
        remove(emailSource: source.source, of: id)
        teams[team].emailSources = (teams[team].emailSources ?? []) + [source]
        return true
    }

    /// Says whether there was such a source.
    @discardableResult
    mutating func remove(emailSource name: String, of id: TeamID) -> Bool {
        guard emailSource(name, of: id) != nil, let team = teams.firstIndex(where: { $0.id == id }) else {
            return false
        }
        teams[team].emailSources?.removeAll { $0.source.lowercased() == name.lowercased() }
        return true
    }

    func emailSource(_ name: String, of id: TeamID) -> EmailSource? {
        teams.first { $0.id == id }?.emailSources?.first { $0.source.lowercased() == name.lowercased() }
    }
}
