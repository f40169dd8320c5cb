/// What pages have in common that want a fresh proof before they go on.
enum ReauthenticationTemplates {
    static let all = ["reauthentication": form]

    /// Leads to Apple and back to `returnPath`. Apple's button has Apple's words; why it is there, the page says.
    private static let form = """
        <form class="actions" method="post" action="\(ReauthenticationController.path)">\
        <input type="hidden" name="return" value="{{returnPath}}">\
        <button class="apple-button apple-{{button.style}}" type="submit">{{> apple-words}}</button></form>
        """
}
