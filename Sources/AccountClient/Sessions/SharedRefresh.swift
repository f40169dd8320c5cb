import class OpenAuthenticationServices.Arrival

/// A refresh that is under way, and everybody who waits for it.
struct SharedRefresh {
    let number: Int
    var waiting: [Arrival<String>] = []
}
