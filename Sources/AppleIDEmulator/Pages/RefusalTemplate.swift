/// For what never reaches a redirect URI, and for addresses that do not exist.
enum RefusalTemplate {
    static let text = """
        <main class="card">
        <h1>This cannot go on</h1>
        <p class="lead">{{description}}</p>
        <p class="details"><code>{{code}}</code></p>
        <p class="hint">{{#isRequest}}No app received an answer. When a request itself is wrong, Apple also shows a page of \
        its own and doesn’t redirect. {{/isRequest}}<a href="/">About this emulator</a></p>
        </main>
        """
}
