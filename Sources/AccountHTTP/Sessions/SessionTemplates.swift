/// The page of a person's sessions as a template.
enum SessionTemplates {
    static let all = ["sessions": sessions]

    private static let sessions = """
        {{<layout}}{{$content}}
        <section class="card" aria-labelledby="heading">
        <h1 id="heading">Where you are signed in</h1>
        <p class="lead">End what you do not know or no longer use. Whoever holds it has to sign in again.</p>
        <ul class="sessions">
        {{#rows}}<li>
        <div><strong id="{{id}}">{{name}}</strong>\
        {{#isCurrent}}<span class="note">This browser</span>{{/isCurrent}}\
        {{#client}}<span class="fact">{{client}}</span>{{/client}}\
        <span class="fact">Signed in <time datetime="{{since.iso}}">{{since.text}}</time></span>\
        <span class="fact">Last used <time datetime="{{used.iso}}">{{used.text}}</time></span></div>
        <form method="post" action="/account/sessions/{{id}}/end">\
        <button class="button small" type="submit" id="end-{{id}}" aria-labelledby="end-{{id}} {{id}}">\
        {{#isCurrent}}Sign out{{/isCurrent}}{{^isCurrent}}End{{/isCurrent}}</button></form>
        </li>
        {{/rows}}</ul>
        {{#next}}<p class="more"><a href="/account/sessions?before={{next}}">Older ones</a></p>{{/next}}
        <div class="actions">
        {{#hasOthers}}<form method="post" action="/account/sessions/end-others">\
        <button class="button primary" type="submit">End all others</button></form>{{/hasOthers}}
        <p class="more"><a href="/account">Your account</a></p>
        </div>
        </section>
        {{/content}}{{/layout}}
        """
}
