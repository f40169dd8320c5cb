/// The way back by `web_message`: a script tells the page that opened the popup, which then closes it.
enum MessageTemplate {
    static let text = """
        <main class="card">
        <h1>Back to {{host}}</h1>
        <p class="lead">The page that opened this window has the answer and closes the window.</p>
        <noscript><p class="lead">Not so without JavaScript: the answer goes by a script. Close this window.</p></noscript>
        <div id="message" data-targets="{{targets}}">
        {{#fields}}
        <input type="hidden" name="{{name}}" value="{{value}}">
        {{/fields}}
        </div>
        <p class="hint">If it stays open, nobody listens at <code>{{targets}}</code>. The answer is for pages of that origin \
        alone, because it is the redirect URI’s, and a page sent with Cross-Origin-Opener-Policy: same-origin has cut \
        itself off.</p>
        </main>

        """

    static let script = """
        <script src="/assets/message.js"></script>
        """

    /// What the script says to the opener. Its text form and the name `oauthDone` are what Apple's script takes.
    static let scriptText = """
        (function () {
          "use strict";
          var box = document.getElementById("message");
          var fields = {};
          box.querySelectorAll("input").forEach(function (input) { fields[input.name] = input.value; });
          var data = { error: fields.error };
          if (fields.error === undefined) {
            data = { authorization: { code: fields.code, id_token: fields.id_token, state: fields.state } };
            if (fields.user !== undefined) data.user = JSON.parse(fields.user);
          }
          var text = JSON.stringify({ method: "oauthDone", data: data });
          if (window.opener) {
            box.dataset.targets.split(" ").forEach(function (target) { window.opener.postMessage(text, target); });
          }
        })();

        """
}
