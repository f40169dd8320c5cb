/// The pages of an account's end as Mustache templates. `{{x}}` is escaped; nothing here is inserted raw.
enum DeletionTemplates {
    static let all = ["deletion-question": question, "deletion": deletion]

    private static let question = """
        {{<layout}}{{$content}}
        <section class="card" aria-labelledby="heading">
        <h1 id="heading">Delete your account?</h1>
        <p class="lead">{{#person}}The account of <strong>{{person}}</strong>{{/person}}{{^person}}Your account{{/person}} \
        at {{frame.appName}} is deleted immediately, on all your devices. You can’t get it back. We also tell Apple to end \
        the authorization of {{frame.appName}}.</p>
        <p class="lead">You can <a href="/account/export">download your data</a> first.</p>
        <p class="warning"><strong>To confirm, sign in with Apple once more.</strong> The account is deleted when you come \
        back from there.</p>
        <div class="actions">
        <form method="post" action="/account/delete"><button class="button danger" type="submit">Continue with Apple and \
        delete</button></form>
        <p class="beside"><a class="button" href="/account">Keep the account</a></p>
        </div>
        </section>
        {{/content}}{{/layout}}
        """

    private static let deletion = """
        {{<layout}}{{$content}}
        <section class="card" aria-labelledby="heading">
        <h1 id="heading">{{heading}}</h1>
        {{#paragraphs}}<p class="lead">{{.}}</p>
        {{/paragraphs}}
        <dl>
        <div><dt>Deleted</dt><dd><time datetime="{{requested.iso}}">{{requested.text}}</time></dd></div>
        <div><dt>Apple</dt><dd>{{apple}}</dd></div>
        </dl>
        {{#removal}}<p class="warning">{{message}} <a href="{{url}}">Open Apple’s page</a></p>
        {{/removal}}
        <div class="actions"><a class="button" href="/">Go to the start page</a></div>
        </section>
        {{/content}}{{/layout}}
        """
}
