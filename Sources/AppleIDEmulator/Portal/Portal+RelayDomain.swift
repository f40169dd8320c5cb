extension Portal {
    /// Where relay addresses end. Apple has used three.
    public struct RelayDomain: Hashable, Sendable, Codable {
        private enum Word: String, CaseIterable, Codable {
            case classic = "privaterelay.appleid.com"
            case iCloud = "icloud.com"
            case privateICloud = "private.icloud.com"
        }

        private let word: Word

        private init(word: Word) {
            self.word = word
        }

        /// Nil for a domain that is none of the three.
        public init?(_ name: String) {
            guard let word = Word(rawValue: name) else { return nil }
            self.word = word
        }

        init(_ quirks: Set<EmulatorConfiguration.Quirk>) {
            self =
                quirks.contains(.relayAtPrivateICloud)
                ? .privateICloud : quirks.contains(.relayAtICloud) ? .iCloud : .classic
        }

        public init(from decoder: any Decoder) throws {
            word = try Word(from: decoder)
        }

        public func encode(to encoder: any Encoder) throws {
            try word.encode(to: encoder)
        }

        public var name: String { word.rawValue }

        static var all: [Self] { Word.allCases.map { Self(word: $0) } }

        /// `privaterelay.appleid.com`: every address that is older than 2026.
        public static let classic = Self(word: .classic)
        /// `icloud.com`: as iCloud+ makes them.
        public static let iCloud = Self(word: .iCloud)
        /// `private.icloud.com`: what Apple announced in June 2026 for all new ones.
        public static let privateICloud = Self(word: .privateICloud)
    }
}
