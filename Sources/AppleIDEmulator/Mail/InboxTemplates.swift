/// The middles of the pages with mail. What a mail says is text on all of them, its HTML as well.
enum InboxTemplates {
    static let people = """
        <main class="card">
        <h1>Mail</h1>
        <p class="lead">Whose inbox? All of these people are made up.</p>
        {{^people}}<p class="lead">Nobody is left.</p>{{/people}}
        {{#hasPeople}}
        <ul class="people">
        {{#people}}
        <li><a class="row" href="{{address}}"><span class="avatar" aria-hidden="true">{{initials}}</span>
        <span class="who"><span class="name" dir="auto">{{name}}</span> <span class="address">{{email}}</span>
        <span class="address">{{count}}</span></span></a></li>
        {{/people}}
        </ul>
        {{/hasPeople}}
        <p class="hint">{{server}}</p>
        </main>
        """

    static let inbox = """
        <main class="card wide">
        <h1>Inbox of <span dir="auto">{{name}}</span></h1>
        <p class="lead">{{email}}</p>
        {{^hasMails}}<p class="lead">There is no mail.</p>{{/hasMails}}
        {{#hasMails}}
        <ul class="people">
        {{#mails}}
        <li><a class="row" href="{{address}}"><span class="mail"><span class="subject" dir="auto">{{subject}}</span>
        <time datetime="{{time}}">{{shownTime}}</time>
        <span class="address"><span dir="auto">{{from}}</span> {{way}}</span></span></a></li>
        {{/mails}}
        </ul>
        <form method="post" action="/mail/delete">
        <input type="hidden" name="person" value="{{id}}">
        <div class="actions"><button type="submit" class="danger">Delete all mail</button></div>
        </form>
        {{/hasMails}}
        <p class="details"><a href="/mail">All inboxes</a></p>
        </main>
        """

    static let mail = """
        <main class="card wide">
        <h1 dir="auto">{{subject}}</h1>
        <dl>
        <div><dt>From</dt><dd dir="auto">{{from}}</dd></div>
        <div><dt>To</dt><dd>{{recipient}}<br><span class="address">{{way}}</span></dd></div>
        <div><dt>Envelope sender</dt><dd>{{sender}}</dd></div>
        <div><dt>Received</dt><dd><time datetime="{{time}}">{{shownTime}}</time></dd></div>
        </dl>
        {{#hasText}}<div class="message" dir="auto" tabindex="0" role="region" aria-label="Text">{{text}}</div>{{/hasText}}
        {{^hasText}}<p class="lead">This mail has no plain text.</p>{{/hasText}}
        {{#hasHTML}}
        <details{{^hasText}} open{{/hasText}}><summary>HTML, as its source</summary>
        <div class="message" tabindex="0" role="region" aria-label="HTML, as its source">{{html}}</div></details>
        {{/hasHTML}}
        <details><summary>Header</summary>
        <div class="message" tabindex="0" role="region" aria-label="Header">{{header}}</div></details>
        <p class="details"><a href="{{back}}">Back to the inbox</a></p>
        </main>
        """
}
