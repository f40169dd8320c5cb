/// The pages of an app's authorization as Mustache templates. `{{x}}` is escaped; nothing here is inserted raw.
enum AuthorizationTemplates {
    static let all = [
        "authorization": authorization, "authorization-end": end, "device": device, "device-request": deviceRequest,
    ]

    private static let authorization = """
        {{<layout}}{{$content}}
        <section class="card centered" aria-labelledby="heading">
        <div class="app-icon" aria-hidden="true">{{initial}}</div>
        <h1 id="heading">Sign in to {{app}}</h1>
        <p class="lead">{{app}} asks you to sign in with your Apple Account. Go on only if you began this in {{app}} \
        yourself.</p>
        <form class="actions" method="post" action="{{path}}">\
        <button class="apple-button apple-{{button.style}}" type="submit">{{> apple-words}}</button></form>
        </section>
        {{/content}}{{/layout}}
        """

    private static let end = """
        {{<layout}}{{$content}}
        <section class="card centered" aria-labelledby="heading">
        <div class="app-icon" aria-hidden="true">{{initial}}</div>
        <h1 id="heading">{{text.heading}}</h1>
        {{#text.paragraphs}}<p class="lead">{{.}}</p>
        {{/text.paragraphs}}
        {{#returnPath}}<div class="actions"><a class="button primary" href="{{returnPath}}">Return to {{app}}</a></div>
        {{/returnPath}}
        {{#hint}}<p class="fine">{{hint}}</p>{{/hint}}
        </section>
        {{/content}}{{/layout}}
        """

    /// A link never fills in the code: the person who types it has to look at the device that shows it. After a mistake the
    /// field keeps what the person typed.
    private static let device = """
        {{<layout}}{{$content}}
        <section class="card centered" aria-labelledby="heading">
        <div class="app-icon" aria-hidden="true">{{frame.initial}}</div>
        <h1 id="heading">Sign in on a device</h1>
        <p class="lead">Type the eight letters that your device or terminal shows.</p>
        <form method="post" action="/device">
        <div class="field">
        <label for="code">Code</label>
        <input id="code" name="code" type="text" required maxlength="40" autocomplete="off" autocapitalize="off" \
        autocorrect="off" spellcheck="false" {{#typed}}value="{{typed}}" {{/typed}}\
        {{#problem}}aria-invalid="true" aria-describedby="problem hint"{{/problem}}\
        {{^problem}}aria-describedby="hint"{{/problem}} autofocus>
        {{#problem}}<p class="wrong" id="problem" role="alert">{{problem}}</p>{{/problem}}
        <p class="hint" id="hint">Capitalization, spaces, and hyphens don’t matter.</p>
        </div>
        <div class="actions"><button class="button primary" type="submit">Continue</button></div>
        </form>
        </section>
        {{/content}}{{/layout}}
        """

    private static let deviceRequest = """
        {{<layout}}{{$content}}
        <section class="card" aria-labelledby="heading">
        <div class="app-icon" aria-hidden="true">{{initial}}</div>
        <h1 id="heading" class="centered">Let a device sign in to {{app}}?</h1>
        <dl>
        <div><dt>App</dt><dd>{{app}}</dd></div>
        <div><dt>Asked from</dt><dd><span class="address">{{place}}</span></dd></div>
        <div><dt>Asked</dt><dd>{{age}}</dd></div>
        <div><dt>Code</dt><dd><code>{{code}}</code></dd></div>
        </dl>
        <p class="warning"><strong>Allow only what you began yourself.</strong> Whoever holds that device will be signed in \
        as you. If somebody sent you this code, deny.</p>
        <div class="actions">
        <form method="post" action="/device/allow"><input type="hidden" name="code" value="{{code}}">\
        <button class="button primary" type="submit">Allow</button></form>
        <form method="post" action="/device/deny"><input type="hidden" name="code" value="{{code}}">\
        <button class="button" type="submit">Deny</button></form>
        </div>
        </section>
        {{/content}}{{/layout}}
        """
}
