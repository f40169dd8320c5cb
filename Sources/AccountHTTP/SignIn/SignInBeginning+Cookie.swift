import AccountService

extension SignInBeginning {
    /// The `Set-Cookie` that names the browser.
    ///
    /// It outlives the attempt by the time that the last page of an authorization has: the answer may come at the very
    /// end of the attempt, and the page is for this browser alone. One lifetime for all, since one cookie serves every
    /// tab and the latest beginning sets it anew.
    var cookie: String {
        CookieName.browser.setting(browser.rawValue, lifetime: lifetime + Authorizations.returnWindow)
    }
}
