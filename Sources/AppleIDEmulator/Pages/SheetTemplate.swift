/// Second page: what the app gets to know. Only the first time is there anything to choose.
enum SheetTemplate {
    static let text = """
        <main class="card">
        <div class="avatar large" aria-hidden="true">{{initials}}</div>
        <h1>Sign in to <span dir="auto">{{app}}</span></h1>
        <p class="lead">as <strong dir="auto">{{name}}</strong><br><span class="address">{{email}}</span></p>
        <form method="post" action="/auth/authorize/decision">
        <input type="hidden" name="request" value="{{request}}">
        <input type="hidden" name="person" value="{{id}}">
        {{#asksName}}
        <fieldset>
        <legend>Name</legend>
        <p class="hint" id="name-hint"><span dir="auto">{{app}}</span> asks for your name. You may change it or leave it \
        empty.</p>
        <div class="pair">
        <div class="field"><label for="first-name">First name</label>
        <input id="first-name" name="firstName" value="{{firstName}}" maxlength="255" dir="auto" autocomplete="off" \
        aria-describedby="name-hint"></div>
        <div class="field"><label for="last-name">Last name</label>
        <input id="last-name" name="lastName" value="{{lastName}}" maxlength="255" dir="auto" autocomplete="off" \
        aria-describedby="name-hint"></div>
        </div>
        </fieldset>
        {{/asksName}}
        {{#asksEmail}}
        <fieldset>
        <legend>Email</legend>
        <div class="options">
        {{#choices}}
        <label class="option"><input type="radio" name="email" value="{{word}}"{{#isFirst}} checked{{/isFirst}}>
        <span><span class="choice">{{label}}</span> <span class="address">{{address}}</span></span></label>
        {{/choices}}
        </div>
        </fieldset>
        {{/asksEmail}}
        {{#hasNoEmail}}
        <p class="lead">{{app}} asks for your email address. Your organization has given you none.</p>
        {{/hasNoEmail}}
        {{#asksNothing}}
        <p class="lead">{{app}} asks neither for your name nor for your email address.</p>
        {{/asksNothing}}
        {{#isKnown}}
        <p class="lead">You have signed in to {{app}} before. It learns nothing new.</p>
        {{/isKnown}}
        <div class="actions">
        <button type="submit" class="primary" name="decision" value="continue">Continue</button>
        <button type="submit" name="decision" value="cancel">Cancel</button>
        </div>
        </form>
        <p class="details"><a href="/auth/authorize/sheet?request={{request}}">Use another account</a> ·
        <code>{{client}}</code> at <code>{{destination}}</code></p>
        </main>
        """
}
