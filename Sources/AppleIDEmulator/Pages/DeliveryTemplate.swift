/// The way back by `form_post`: a form that a script submits, and a person where there is no script.
enum DeliveryTemplate {
    static let text = """
        <main class="card">
        <h1>Back to {{host}}</h1>
        <p class="lead">Your browser should go on by itself. If it does not, press the button.</p>
        <form method="post" action="{{action}}" id="delivery">
        {{#fields}}
        <input type="hidden" name="{{name}}" value="{{value}}">
        {{/fields}}
        <div class="actions"><button type="submit" class="primary">Continue to {{host}}</button></div>
        </form>
        </main>

        """

    static let script = """
        <script src="/assets/delivery.js"></script>
        """
}
