import AppleIDTypes

extension Portal {
    /// Moves a primary App ID with its Services IDs, gives it another key, and hands out those it had. Both are there:
    /// whoever calls this has looked.
    mutating func move(_ id: ClientID, to team: TeamID, newKey: Key) -> [Key] {
        var moved: App?
        for index in teams.indices {
            moved = moved ?? teams[index].apps.first { $0.id == id }
            teams[index].apps.removeAll { $0.id == id }
        }
        guard var app = moved, let target = teams.firstIndex(where: { $0.id == team }) else { return [] }
        let keys = app.keys
        app.keys = [newKey]
        teams[target].apps.append(app)
        return keys
    }
}
