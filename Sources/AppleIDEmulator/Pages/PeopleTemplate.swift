/// First page: which of the made-up people is in front of the screen.
enum PeopleTemplate {
    static let text = """
        <main class="card">
        <h1>Sign in to <span dir="auto">{{app}}</span></h1>
        <p class="lead">Choose who you are. All of these people are made up.</p>
        <form method="get" action="/auth/authorize/sheet">
        <input type="hidden" name="request" value="{{request}}">
        <ul class="people">
        {{#people}}
        <li><button type="submit" class="person" name="person" value="{{id}}">
        <span class="avatar" aria-hidden="true">{{initials}}</span>
        <span class="who"><span class="name" dir="auto">{{name}}</span> <span class="address">{{email}}</span>
        {{#kind}}<span class="address">{{kind}}</span>{{/kind}}</span>
        </button></li>
        {{/people}}
        </ul>
        </form>
        <form method="post" action="/auth/authorize/decision" class="actions">
        <input type="hidden" name="request" value="{{request}}">
        <button type="submit" name="decision" value="cancel">Cancel</button>
        </form>
        <p class="details"><code>{{client}}</code> at <code>{{destination}}</code></p>
        </main>
        """
}
