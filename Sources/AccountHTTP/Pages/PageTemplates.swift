/// The pages as Mustache templates. `{{x}}` is escaped; nothing here is inserted raw.
enum PageTemplates {
    static let all = [
        "layout": layout, "apple-button": appleButton, "apple-words": appleWords, "sign-in": signIn,
        "account": account, "message": message,
    ]

    private static let layout = """
        <!DOCTYPE html>
        <html lang="en" data-theme="{{frame.theme}}">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{frame.title}}</title>
        <link rel="icon" type="image/svg+xml" href="{{frame.icon}}">
        <link rel="stylesheet" href="{{frame.styleSheet}}">
        </head>
        <body>
        {{#frame.emulatorURL}}
        <header class="banner"><strong>Test mode.</strong> Sign-ins come from an emulator at \
        <span>{{frame.emulatorURL}}</span>, not from Apple.</header>
        {{/frame.emulatorURL}}
        <main>
        {{$content}}{{/content}}
        </main>
        </body>
        </html>

        """

    /// A link, so that it works without scripts. The drawing is hidden from screen readers: the words say it all.
    private static let appleButton = """
        <a class="apple-button apple-{{button.style}}" href="{{signInPath}}">{{> apple-words}}</a>
        """

    /// What stands on Apple's button, be it a link or a form's button.
    private static let appleWords = """
        <svg class="apple-logo" viewBox="0 0 100 120" aria-hidden="true" focusable="false">\
        <path fill="currentColor" d="\(AppleLogo.path)"/></svg>\
        <span>{{button.title}}</span>
        """

    private static let signIn = """
        {{<layout}}{{$content}}
        <section class="card centered" aria-labelledby="heading">
        <div class="app-icon" aria-hidden="true">{{frame.initial}}</div>
        {{#signedInAs}}
        <h1 id="heading">Welcome back</h1>
        <p class="lead">You are signed in as <strong>{{signedInAs}}</strong>.</p>
        <div class="actions"><a class="button primary" href="{{next.path}}">{{next.title}}</a>
        <form class="beside" method="post" action="/sign-out"><button class="button" type="submit">Not you? Sign out</button>\
        </form></div>
        {{/signedInAs}}
        {{^signedInAs}}
        <h1 id="heading">{{heading}}</h1>
        <p class="lead">{{lead}}</p>
        {{#button}}<div class="actions">{{> apple-button}}</div>{{/button}}
        {{/signedInAs}}
        </section>
        {{#scripts}}
        <script src="{{apple}}" defer></script>
        <script src="{{own}}" data-mode="{{mode}}" defer></script>
        {{/scripts}}
        {{/content}}{{/layout}}
        """

    private static let account = """
        {{<layout}}{{$content}}
        <section class="card" aria-labelledby="heading">
        <header class="person">
        <div class="avatar" aria-hidden="true">{{#initial}}{{initial}}{{/initial}}{{^initial}}<svg viewBox="0 0 24 24">\
        <path fill="currentColor" d="M12 12.2a4.6 4.6 0 1 0 0-9.2 4.6 4.6 0 0 0 0 9.2Zm0 2c-4.6 0-8.4 2.5-8.4 5.6 0 \
        .7.5 1.2 1.2 1.2h14.4c.7 0 1.2-.5 1.2-1.2 0-3.1-3.8-5.6-8.4-5.6Z"/></svg>{{/initial}}</div>
        <div><h1 id="heading">{{heading}}</h1>
        <p class="lead">Signed in to {{frame.appName}} with Apple</p></div>
        </header>
        <dl>
        <div><dt>Email</dt><dd>{{#email}}<span class="address">{{user}}<wbr>{{domain}}</span>{{/email}}\
        {{^email}}<span class="muted">Not shared</span>{{/email}}\
        {{#isForwarded}}<span class="note">Hidden by Apple: mail is forwarded</span>{{/isForwarded}}\
        {{#isNotForwarded}}<span class="note doubt">Hidden by Apple: you have turned forwarding off</span>\
        {{/isNotForwarded}}\
        {{#isUnverifiedEmail}}<span class="note doubt">Apple hasn’t verified it</span>{{/isUnverifiedEmail}}</dd></div>
        <div><dt>Member since</dt><dd><time datetime="{{since.iso}}">{{since.text}}</time></dd></div>
        </dl>
        <p class="more"><a href="/account/sessions">Where you are signed in</a></p>
        <form class="actions" method="post" action="/sign-out"><button class="button" type="submit">Sign out</button></form>
        {{#hasWebSignIn}}<p class="links"><a href="/account/export">Download your data</a> \
        <a href="/account/delete">Delete account</a></p>{{/hasWebSignIn}}
        </section>
        {{/content}}{{/layout}}
        """

    private static let message = """
        {{<layout}}{{$content}}
        <section class="card centered" aria-labelledby="heading">
        <div class="app-icon" aria-hidden="true">{{frame.initial}}</div>
        <h1 id="heading">{{text.heading}}</h1>
        {{#text.paragraphs}}<p class="lead">{{.}}</p>
        {{/text.paragraphs}}
        {{#text.action}}<div class="actions"><a class="button primary" href="{{path}}">{{title}}</a></div>
        {{/text.action}}
        {{#code}}<p class="fine">Error code <code>{{code}}</code></p>{{/code}}
        {{#requestID}}<p class="fine">Request <code>{{requestID}}</code></p>{{/requestID}}
        </section>
        {{/content}}{{/layout}}
        """
}
