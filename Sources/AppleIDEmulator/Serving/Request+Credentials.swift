import HTTPTypes
import Hummingbird

extension Request {
    /// What follows the scheme in `Authorization`; nil for another scheme or none. Schemes are the same in whatever
    /// case their letters are (RFC 9110 §11.1).
    /// - Parameter scheme: lowercase.
    func credentials(_ scheme: String) -> String? {
        guard let field = headers[.authorization]?.trimmingSpaces, let space = field.firstIndex(of: " "),
            field[..<space].lowercased() == scheme
        else { return nil }
        return String(field[space...].trimmingSpaces)
    }
}
