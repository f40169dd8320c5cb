/// `/`: what this is, and what a developer needs to begin.
enum IndexTemplate {
    static let text = """
        <main class="card wide">
        <h1>siwa emulator</h1>
        <p class="lead">A stand-in for Apple's side of Sign in with Apple, for development and tests on this machine. The \
        people, teams and keys are made up, and no token from here is worth anything elsewhere.</p>
        <h2>Addresses</h2>
        <ul class="plain">
        <li><a href="/.well-known/openid-configuration"><code>{{base}}/.well-known/openid-configuration</code></a></li>
        <li><code>{{base}}/auth/authorize</code></li>
        <li><code>{{base}}/auth/token</code></li>
        <li><a href="/auth/keys"><code>{{base}}/auth/keys</code></a></li>
        <li><code>{{base}}/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js</code></li>
        </ul>
        <p class="hint">Tokens say <code>{{issuer}}</code> as their issuer.</p>
        <h2>Clients</h2>
        <div class="scroll" tabindex="0" role="region" aria-label="Clients">
        <table>
        <thead><tr><th scope="col">Client</th><th scope="col">Kind</th><th scope="col">Team</th>
        <th scope="col">Return URLs</th></tr></thead>
        <tbody>
        {{#clients}}
        <tr><th scope="row"><code>{{id}}</code></th><td>{{kind}}</td><td><code>{{team}}</code></td>
        <td>{{#urls}}<code>{{.}}</code> {{/urls}}</td></tr>
        {{/clients}}
        </tbody>
        </table>
        </div>
        <h2>People</h2>
        <ul class="plain">
        {{#people}}
        <li><code>{{id}}</code> <span dir="auto">{{name}}</span> <span class="address">{{email}}</span></li>
        {{/people}}
        </ul>
        <p class="hint"><a href="/settings">Settings</a>: which apps they use, and what they can do about it.
        <a href="/mail">Mail</a>: what they have got.</p>
        <h2>For tests</h2>
        <ul class="plain">
        <li><code>GET {{base}}/emulator/portal</code><br>all that a relying party must configure, the private key \
        included</li>
        <li><code>POST {{base}}/emulator/authorizations</code><br>the sheet without a browser: \
        <code>{"person": "johnny", "clientID": "com.example.juice.web", "scope": "name email"}</code></li>
        </ul>
        <p class="hint"><a href="/emulator/openapi.json">All control calls</a>, and <a href="/emulator/requests/page">what \
        clients have asked lately</a>: within the borders of the control calls.</p>
        </main>
        """
}
