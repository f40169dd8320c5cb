/// Everything that is wrong with the settings of a command. The command doesn't start, and its exit status is 2.
struct SettingsProblems: Error, CustomStringConvertible {
    let problems: [SettingsReader.Problem]

    var description: String {
        problems.map { "error: \($0.description)" }.joined(separator: "\n")
    }
}
