/// Why Juice could not do its work: what is wrong, and what to type.
struct JuiceFailure: Error, CustomStringConvertible {
    let problem: String
    let hint: String?

    init(_ problem: String, hint: String? = nil) {
        self.problem = problem
        self.hint = hint
    }

    var description: String {
        "error: \(problem)" + (hint.map { "\nhint: \($0)" } ?? "")
    }
}
