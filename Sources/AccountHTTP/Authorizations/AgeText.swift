/// How long ago something was, in words, to the minute.
struct AgeText {
    let text: String

    init(_ age: Duration) {
        let seconds = max(0, age.components.seconds)
        text =
            switch seconds {
            case ..<20: "just now"
            case ..<50: "less than a minute ago"
            case ..<90: "a minute ago"
            default: "\((seconds + 30) / 60) minutes ago"
            }
    }
}
