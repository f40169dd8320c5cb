/// What all three images share.
struct ButtonStyle: Sendable {
    enum Color: String, Sendable {
        case black
        case white
    }

    var color = Color.black
    var hasBorder = false
    var cornerRadius = 15
    /// Pixels for each unit of the other lengths.
    var scale = 1

    /// Of title, mark and border.
    var ink: Color { color == .black ? .white : .black }
}
