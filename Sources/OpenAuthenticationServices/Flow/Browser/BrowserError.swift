/// Why no browser was opened.
package enum BrowserError: Error, Equatable {
    /// Nothing on this machine opens web pages, or nobody would see it.
    case absent
    /// Only pages of the web are opened, no files and no apps.
    case notAWebPage
    /// The program that should have opened it ended with this status.
    case failed(status: Int32)
}
