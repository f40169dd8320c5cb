/// The page that leads to the file of an export as a template.
enum ExportTemplates {
    static let all = ["export": export]

    private static let export = """
        {{<layout}}{{$content}}
        <section class="card" aria-labelledby="heading">
        <h1 id="heading">Your data</h1>
        <p class="lead">A file with all that {{frame.appName}} holds about you: your name and email addresses, where you \
        have signed in, and what happened to your account. It is JSON, made for programs, and readable by people.</p>
        {{#isFresh}}
        <div class="actions"><a class="button primary" href="\(ExportController.filePath)">Download the file</a></div>
        {{/isFresh}}
        {{^isFresh}}
        <p class="warning"><strong>Sign in again with Apple first.</strong> Your last sign-in was more than five minutes ago, \
        and the file is for you alone.</p>
        {{> reauthentication}}
        {{/isFresh}}
        <p class="more"><a href="/account">Your account</a></p>
        </section>
        {{/content}}{{/layout}}
        """
}
