import AppleIDTypes

extension Members {
    /// What Apple is to think of the person, by the framework's numbers.
    mutating func realUserStatus() throws(Refusal) -> RealUserStatus? {
        guard let number = try integer("realUserStatus") else { return nil }
        guard (0...2).contains(number) else { throw Self.refused(path + "realUserStatus", "must be 0, 1 or 2") }
        return RealUserStatus(rawValue: Int(number))
    }
}
