/// The password step and the two-factor step; one field each.
enum SignInTemplate {
    static let password = """
        <main class="card">
        <div class="avatar large" aria-hidden="true">{{initials}}</div>
        <h1>Enter the password</h1>
        <p class="lead">of <strong dir="auto">{{name}}</strong><br><span class="address">{{email}}</span></p>
        <form method="post" action="/auth/sign-in/password">
        {{#request}}<input type="hidden" name="request" value="{{request}}">{{/request}}
        <input type="hidden" name="person" value="{{id}}">
        <div class="field"><label for="password">Password</label>
        <input id="password" name="password" type="password" maxlength="255" autocomplete="off" required \
        aria-describedby="{{#complaint}}complaint {{/complaint}}password-hint"\
        {{#complaint}} aria-invalid="true"{{/complaint}}></div>
        {{#complaint}}<p class="problem" id="complaint" role="alert">{{complaint}}</p>{{/complaint}}
        <p class="hint" id="password-hint">{{hint}} Never type one of your own.</p>
        <div class="actions"><button type="submit" class="primary">Continue</button></div>
        </form>

        """ + foot

    static let code = """
        <main class="card">
        <div class="avatar large" aria-hidden="true">{{initials}}</div>
        <h1>Enter the verification code</h1>
        <p class="lead">for <strong dir="auto">{{name}}</strong><br><span class="address">{{email}}</span></p>
        <form method="post" action="/auth/sign-in/code">
        {{#request}}<input type="hidden" name="request" value="{{request}}">{{/request}}
        <input type="hidden" name="person" value="{{id}}">
        <div class="field"><label for="code">Verification code</label>
        <input id="code" name="code" inputmode="numeric" maxlength="12" autocomplete="off" required \
        aria-describedby="{{#complaint}}complaint {{/complaint}}code-hint"\
        {{#complaint}} aria-invalid="true"{{/complaint}}></div>
        {{#complaint}}<p class="problem" id="complaint" role="alert">{{complaint}}</p>{{/complaint}}
        <p class="hint" id="code-hint">Any six digits do. Nothing was sent to any device.</p>
        <div class="actions"><button type="submit" class="primary">Continue</button></div>
        </form>

        """ + foot

    /// Cancel, where there is an app to go back to.
    private static let foot = """
        {{#request}}
        <form method="post" action="/auth/authorize/decision" class="actions">
        <input type="hidden" name="request" value="{{request}}">
        <button type="submit" name="decision" value="cancel">Cancel</button>
        </form>
        {{/request}}
        <p class="details"><a href="{{another}}">Use another account</a></p>
        </main>
        """
}
