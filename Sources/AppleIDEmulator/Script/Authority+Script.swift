extension Authority {
    /// Where a page may be that gets an answer from a popup: at the redirect URI's origin, and by a quirk at that of
    /// any return URL of the client. All are registered, so the answer never goes to whoever opened the window.
    func messageOrigins(_ answer: AuthorizationAnswer, _ address: WebAddress) -> [String] {
        guard current.quirks.contains(.popupAnswersAnyReturnURL) else { return [address.origin] }
        let others = Set(answer.returnURLs.compactMap { WebAddress($0)?.origin }).subtracting([address.origin])
        return [address.origin] + others.sorted()
    }
}
