import AccountClient

/// A provider other than Apple that Juice offers: its id at the account service, and its name for people.
public struct OfferedProvider: Hashable, Sendable {
    /// The id at the account service, such as `google`.
    public let id: String
    /// The name that people know the provider by.
    public let name: String

    /// Reads a provider from a setting.
    /// - Parameter text: `ID` or `ID=NAME`.
    public init?(text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let id = parts.first, !id.isEmpty,
            id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { return nil }
        let name = parts.count > 1 ? parts[1] : id.prefix(1).uppercased() + id.dropFirst()
        guard !name.isEmpty else { return nil }
        self.id = id
        // A terminal obeys what it is sent.
        self.name = String(name.unicodeScalars.filter { $0.properties.generalCategory != .control })
    }
}

extension [OfferedProvider] {
    /// The name of a provider, as people know it. If Juice's settings don't have the provider, that is its id with a capital
    /// letter.
    func name(of provider: AccountIdentity.Provider) -> String {
        if let offered = first(where: { $0.id == provider.rawValue }) { return offered.name }
        return provider.rawValue.prefix(1).uppercased() + provider.rawValue.dropFirst()
    }
}
