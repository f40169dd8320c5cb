extension EmulatorError {
    /// What kind of thing went wrong. The list may grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Word: String {
            case invalidConfiguration = "invalid_configuration"
            case invalidPortal = "invalid_portal"
            case unreadableState = "unreadable_state"
            case unwritableState = "unwritable_state"
        }

        private let word: Word

        public var description: String { word.rawValue }

        /// A value of ``EmulatorConfiguration``, or an address given later, cannot be used.
        public static let invalidConfiguration = Self(word: .invalidConfiguration)
        /// A portal names something twice, or refers to what is not there.
        public static let invalidPortal = Self(word: .invalidPortal)
        /// The state file is there but cannot be read or understood.
        public static let unreadableState = Self(word: .unreadableState)
        /// The state file could not be written; what was to be kept is lost at the end of the run.
        public static let unwritableState = Self(word: .unwritableState)
    }
}
