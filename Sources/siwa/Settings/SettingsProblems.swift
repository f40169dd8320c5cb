/// What keeps a command from starting.
struct SettingsProblems: Error, CustomStringConvertible {
    let problems: [SettingsReader.Problem]

    var description: String {
        problems.map { "error: \($0.description)" }.joined(separator: "\n")
    }
}
