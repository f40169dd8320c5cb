/// The pages of a person's sessions as templates.
enum SessionTemplates {
    static let all = ["sessions": sessions, "end-others": endOthers]

    private static let sessions = """
        {{<layout}}{{$content}}
        <section class="card" aria-labelledby="heading">
        <h1 id="heading">Where you are signed in</h1>
        <p class="lead">Sign out of anything that you don’t recognize or no longer use.</p>
        <ul class="sessions">
        {{#rows}}<li>
        <div><strong id="{{id}}">{{name}}</strong>\
        {{#isCurrent}}<span class="note">This browser</span>{{/isCurrent}}\
        <span class="fact">{{app}}</span>\
        {{#address}}<span class="fact">{{address}}</span>{{/address}}\
        <span class="fact">Signed in <time datetime="{{since.iso}}">{{since.text}}</time></span>\
        <span class="fact">Last used <time datetime="{{used.iso}}">{{used.text}}</time></span></div>
        <form method="post" action="/account/sessions/{{id}}/end">\
        <button class="button small" type="submit" id="end-{{id}}" aria-labelledby="end-{{id}} {{id}}">\
        Sign out</button></form>
        </li>
        {{/rows}}</ul>
        {{#next}}<p class="more"><a href="/account/sessions?before={{next}}">Older ones</a></p>{{/next}}
        <div class="actions">
        {{#hasOthers}}<a class="button" href="\(SessionListController.endOthersPath)">Sign out everywhere else…</a>\
        {{/hasOthers}}
        <p class="more"><a href="/account">Your account</a></p>
        </div>
        </section>
        <script src="{{script}}" defer></script>
        {{/content}}{{/layout}}
        """

    private static let endOthers = """
        {{<layout}}{{$content}}
        <section class="card" aria-labelledby="heading">
        <h1 id="heading">Sign out everywhere else?</h1>
        <p class="lead">This browser stays signed in. On every other device, and in every other browser, you’ll have to \
        sign in to {{frame.appName}} again.</p>
        <div class="actions">
        <form method="post" action="\(SessionListController.endOthersPath)">\
        <button class="button danger" type="submit">Sign out everywhere else</button></form>
        <p class="beside"><a class="button" href="\(SessionListController.path)">Cancel</a></p>
        </div>
        </section>
        {{/content}}{{/layout}}
        """
}

/// Writes the times of a page in the person's time zone. Without the script they stand there in UTC.
///
/// The words around the times are English, so the script asks for a form of English that the person reads.
enum LocalTimeScript {
    static let text = """
        (function () {
          "use strict";
          var language = (navigator.languages || []).find(function (one) { return /^en\\b/i.test(one); }) || "en-GB";
          var format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
          document.querySelectorAll("time[datetime*=T]").forEach(function (element) {
            var moment = new Date(element.dateTime);
            if (isNaN(moment)) return;
            element.title = element.textContent;
            element.textContent = format.format(moment);
          });
        })();

        """
}
