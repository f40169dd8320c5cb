import HTTPTypes
import Hummingbird

/// The cookie that carries the name of an ``AccountSession``.
///
/// Browsers keep cookies by host and not by port, so the port is in its name: several emulators on one machine do not
/// sign each other's people out.
struct AccountCookie: Sendable {
    private let name: String
    private let isSecure: Bool

    init(baseURL: String) {
        let address = WebAddress(baseURL)
        isSecure = address?.scheme == "https"
        name = "siwa-emulator-account-\(address?.port ?? (isSecure ? 443 : 80))"
    }

    func value(in request: Request) -> String? { request.cookies[name]?.value }

    /// `Lax`: apps send people here from other sites.
    func set(_ value: String, in response: inout Response) {
        response.headers[.setCookie] =
            "\(name)=\(value); Path=/; Max-Age=\(AccountSession.lifetime); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }
}
