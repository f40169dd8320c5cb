import Hummingbird

extension Emulator {
    /// For whoever sees a page with the password or the two-factor step on it.
    static func addSignInRoutes(to open: Endpoints, _ authority: Authority, _ pages: Pages) {
        let signIn = SignInController(authority: authority, pages: pages)
        open.add("/auth/sign-in/password", post: signIn.password)
        open.add("/auth/sign-in/code", post: signIn.code)
    }
}
