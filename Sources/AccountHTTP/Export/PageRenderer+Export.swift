extension PageRenderer {
    /// - Parameter isFresh: Whether the file is to be had at once, and not only after a fresh proof.
    func export(isFresh: Bool) -> String {
        struct Page {
            let frame: PageFrame
            let isFresh: Bool
            let returnPath: String
            let button: PageButton
        }
        return render(
            "export",
            Page(
                frame: frame(title: "Your data"), isFresh: isFresh, returnPath: ExportController.path,
                button: button(.continue)))
    }
}
