/// How Apple can be in a bad way, as the emulator's faults have it.
enum AppleTrouble: String, CaseIterable, Sendable {
    case fails = "outage"
    case forbids = "edge-403"
    case throttles = "throttle"
    case breaksOff = "cut-off"

    /// The body of `POST /emulator/faults`.
    func order(at endpoint: String) -> [String: any Sendable] {
        var order: [String: any Sendable] = ["fault": rawValue, "endpoint": endpoint]
        if self == .fails { order["status"] = 500 }
        return order
    }
}
