/// For somebody who cannot sign in to any app. The request is still good for somebody else, and can be cancelled.
enum RefusedPersonTemplate {
    static let text = """
        <main class="card">
        <div class="avatar large" aria-hidden="true">{{initials}}</div>
        <h1>You cannot sign in to <span dir="auto">{{app}}</span></h1>
        <p class="lead">as <strong dir="auto">{{name}}</strong><br><span class="address">{{email}}</span></p>
        <p class="problem" role="alert">{{description}}</p>
        <form method="post" action="/auth/authorize/decision" class="actions">
        <input type="hidden" name="request" value="{{request}}">
        <button type="submit" name="decision" value="cancel">Cancel</button>
        </form>
        <p class="details"><a href="/auth/authorize/sheet?request={{request}}">Use another account</a> ·
        <code>{{code}}</code></p>
        </main>
        """
}
