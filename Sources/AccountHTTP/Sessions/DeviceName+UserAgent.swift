import AccountService

extension DeviceName {
    /// A plain name for a browser, such as `Safari on iPhone`, from the words of its `User-Agent` that have stood there
    /// for years. Nil for an unknown browser.
    ///
    /// It is for a person to know their own browsers by, and decides about nothing.
    init?(userAgent: String) {
        func first(of names: [(word: String, name: String)]) -> String? {
            names.first { userAgent.utf8.count <= Self.longest && userAgent.contains($0.word) }?.name
        }
        guard let browser = first(of: Self.browsers) else { return nil }
        self.init(cleaning: first(of: Self.systems).map { "\(browser) on \($0)" } ?? browser)
    }

    /// In bytes; browsers' own are under 300.
    private static let longest = 1_024

    /// The first that fits: most say that they are others too.
    private static let browsers = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ].map { (word: $0.0, name: $0.1) }

    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Macintosh", "Mac"), ("Linux", "Linux"),
    ].map { (word: $0.0, name: $0.1) }
}
