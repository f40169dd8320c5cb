/// Where an operator's programs ask a server about itself: nobody else should reach it.
struct ManagementAddress: Hashable, Sendable {
    let host: String
    let port: Int

    /// Nil, unless a port is given.
    static func read(_ reader: inout SettingsReader) -> Self? {
        let host = reader.text(.managementHost)
        guard let port = reader.port(.managementPort) else {
            if host != nil, !reader.isRefused(.managementPort) {
                reader.report(.managementPort, "is missing: nothing listens without a port")
            }
            return nil
        }
        return Self(host: host ?? "127.0.0.1", port: port)
    }
}
