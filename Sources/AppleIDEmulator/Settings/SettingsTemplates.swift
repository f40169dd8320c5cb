/// The middles of the pages of the settings.
enum SettingsTemplates {
    static let people = """
        <main class="card">
        <h1>Settings</h1>
        {{#notice}}<p class="done" role="status">{{notice}}</p>{{/notice}}
        <p class="lead">Whose Apple Account? All of these people are made up.</p>
        <form method="get" action="/settings/apps">
        {{^people}}<p class="lead">Nobody is left.</p>{{/people}}
        {{#hasPeople}}
        <ul class="people">
        {{#people}}
        <li><button type="submit" class="person" name="person" value="{{id}}">
        <span class="avatar" aria-hidden="true">{{initials}}</span>
        <span class="who"><span class="name" dir="auto">{{name}}</span> <span class="address">{{email}}</span>
        {{#kind}}<span class="address">{{kind}}</span>{{/kind}}</span>
        </button></li>
        {{/people}}
        </ul>
        {{/hasPeople}}
        </form>
        </main>
        """

    static let apps = """
        <main class="card">
        <div class="avatar large" aria-hidden="true">{{initials}}</div>
        <h1>Sign in with Apple</h1>
        <p class="lead"><strong dir="auto">{{name}}</strong><br><span class="address">{{email}}</span></p>
        {{#notice}}<p class="done" role="status">{{notice}}</p>{{/notice}}
        <h2>Apps that use this account</h2>
        {{^hasApps}}<p class="lead">None so far.</p>{{/hasApps}}
        {{#hasApps}}
        <ul class="people">
        {{#apps}}
        <li><a class="row" href="{{address}}"><span class="who"><span class="name" dir="auto">{{app}}</span>
        <span class="address">{{email}}{{^email}}no email address{{/email}}, since \
        <time datetime="{{since}}">{{since}}</time></span></span></a></li>
        {{/apps}}
        </ul>
        {{/hasApps}}
        <h2>Apple Account</h2>
        <ul class="people">
        <li><a class="row" href="{{mailAddress}}">Mail</a></li>
        <li><a class="row" href="{{passwordAddress}}">Change the password</a></li>
        <li><a class="row" href="{{deletionAddress}}">Delete the Apple Account</a></li>
        </ul>
        <p class="details"><a href="/settings">Use another account</a></p>
        </main>
        """

    static let app = """
        <main class="card">
        <h1 dir="auto">{{app}}</h1>
        <p class="lead">used by <strong dir="auto">{{name}}</strong> with Sign in with Apple</p>
        {{#notice}}<p class="done" role="status">{{notice}}</p>{{/notice}}
        <dl>
        <div><dt>Made by</dt><dd dir="auto">{{team}}</dd></div>
        <div><dt>In use since</dt><dd><time datetime="{{since}}">{{since}}</time></dd></div>
        <div><dt>Name</dt><dd dir="auto">{{sharedName}}</dd></div>
        <div><dt>Email</dt><dd>{{sharedEmail}}</dd></div>
        {{#relay}}<div><dt>Forward to</dt><dd>{{email}}<br>{{#isForwarding}}On{{/isForwarding}}\
        {{^isForwarding}}Off{{/isForwarding}}</dd></div>{{/relay}}
        </dl>
        {{#relay}}
        <form method="post" action="/settings/forwarding">
        <input type="hidden" name="person" value="{{id}}">
        <input type="hidden" name="app" value="{{group}}">
        {{#isForwarding}}<input type="hidden" name="forwarding" value="off">
        <div class="actions"><button type="submit" aria-describedby="forwarding-hint">Turn off forwarding</button></div>
        {{/isForwarding}}
        {{^isForwarding}}<input type="hidden" name="forwarding" value="on">
        <div class="actions"><button type="submit" aria-describedby="forwarding-hint">Turn on forwarding</button></div>
        {{/isForwarding}}
        <p class="hint" id="forwarding-hint">For mail from all apps of {{team}}: they share one hidden address.</p>
        </form>
        {{/relay}}
        <form method="post" action="/settings/stop-using">
        <input type="hidden" name="person" value="{{id}}">
        <input type="hidden" name="app" value="{{group}}">
        <div class="actions"><button type="submit" class="danger" aria-describedby="stop-hint">Stop Using Apple \
        Account</button></div>
        <p class="hint" id="stop-hint">Signs you out of {{app}}. If you come back, it asks for name and email again.</p>
        </form>
        <p class="details"><a href="{{back}}">All apps of this account</a></p>
        </main>
        """

    static let password = """
        <main class="card">
        <div class="avatar large" aria-hidden="true">{{initials}}</div>
        <h1>Change the password</h1>
        <p class="lead">of <strong dir="auto">{{name}}</strong><br><span class="address">{{email}}</span></p>
        <form method="post" action="/settings/password">
        <input type="hidden" name="person" value="{{id}}">
        {{#isAsked}}
        <div class="field"><label for="password">New password</label>
        <input id="password" name="password" type="password" maxlength="255" autocomplete="off" required \
        aria-describedby="password-hint"></div>
        <p class="hint" id="password-hint">Never type one of your own: the portal shows it to everybody.</p>
        {{/isAsked}}
        {{^isAsked}}
        <p class="lead">This emulator asks nobody for a password, so there is none to type.</p>
        {{/isAsked}}
        <div class="actions"><button type="submit" class="primary" aria-describedby="effect-hint">Change \
        password</button></div>
        <p class="hint" id="effect-hint">The refresh tokens of all apps end. What they were granted stays.</p>
        </form>
        <p class="details"><a href="{{back}}">Keep the password</a></p>
        </main>
        """

    static let deletion = """
        <main class="card">
        <div class="avatar large" aria-hidden="true">{{initials}}</div>
        <h1>Delete this Apple Account?</h1>
        <p class="lead"><strong dir="auto">{{name}}</strong><br><span class="address">{{email}}</span></p>
        <p class="problem">This cannot be undone while the emulator runs: the account is gone from the portal, with all \
        that was granted, and every app that it was used with is told.</p>
        {{#hasApps}}
        <ul class="plain">{{#apps}}<li dir="auto">{{app}}</li>{{/apps}}</ul>
        {{/hasApps}}
        <form method="post" action="/settings/delete">
        <input type="hidden" name="person" value="{{id}}">
        <div class="actions"><button type="submit" class="danger">Delete the Apple Account</button></div>
        </form>
        <p class="details"><a href="{{back}}">Keep the account</a></p>
        </main>
        """
}
