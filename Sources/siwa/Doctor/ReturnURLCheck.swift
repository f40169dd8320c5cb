import AppleID

/// Whether Apple can take the return URL at all, before anybody asks whether it is registered.
struct ReturnURLCheck {
    private static let name = "return url"

    let settings: DoctorSettings

    func findings() -> [Finding] {
        guard !settings.servicesIDs.isEmpty, let url = settings.returnURL else { return [] }
        guard settings.server == .apple else {
            return [.passed(Self.name, "\(url); the emulator says itself what it takes")]
        }
        if let objection = RedirectURI.objection(to: url) {
            return [
                .failed(
                    Self.name, "return_url_form", "\(url): \(objection)",
                    hint:
                        "Apple shows \"Invalid web redirect url.\" for it whatever is registered; give "
                        + "--public-url a domain name with https, or use siwa emulate for work on this machine")
            ]
        }
        return [.passed(Self.name, url)]
    }
}
