/// For what never reaches a redirect URI, and for addresses that do not exist.
enum RefusalTemplate {
    static let text = """
        <main class="card">
        <h1>This cannot go on</h1>
        <p class="lead">{{description}}</p>
        <p class="details"><code>{{code}}</code></p>
        <p class="hint">Nothing was sent to any app: where a request is wrong in itself, Apple stops on a page of its own, \
        too. <a href="/">About this emulator</a></p>
        </main>
        """
}
