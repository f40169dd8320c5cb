import AppleIDTypes

/// The Services IDs that sign in as bundle ids do, with the return URL of each.
enum NativeServices {
    /// Reads ``Setting/nativeServicesID``: `ID` or `ID=URL`. Problems are reported.
    static func read(_ reader: inout SettingsReader, servicesIDs: [ClientID]) -> [ClientID: String?] {
        var services: [ClientID: String?] = [:]
        for text in reader.texts(.nativeServicesID) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let id = ClientID(parts[0])
            guard servicesIDs.contains(id) else {
                reader.report(.nativeServicesID, "`\(id)` is none of \(Setting.servicesID.path)")
                continue
            }
            let url = parts.count > 1 ? parts[1] : nil
            // Apple takes no other return URL either.
            guard url?.hasPrefix("https://") ?? true else {
                reader.report(.nativeServicesID, "the return URL of `\(id)` is not https://")
                continue
            }
            services.updateValue(url, forKey: id)
        }
        return services
    }
}
