/// `/emulator/requests/page`: what clients asked, and what they were answered.
enum RequestsTemplate {
    static let text = """
        <main class="card wide">
        <h1>Requests</h1>
        <p class="lead">The last ones, newest first. Values that clients sent are not kept. Reload for more.</p>
        {{#isEmpty}}<p>None yet.</p>{{/isEmpty}}
        <div class="scroll" tabindex="0" role="region" aria-label="Requests">
        <table>
        <thead><tr><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Client</th>
        <th scope="col">Parameters</th></tr></thead>
        <tbody>
        {{#requests}}
        <tr><th scope="row"><code>{{method}} {{path}}</code><br><span class="address">{{age}} ago</span></th>
        <td>{{status}} <code>{{error}}</code> {{reason}}{{#faults}}<br>by a fault: {{.}}{{/faults}}</td>
        <td><code>{{client}}</code></td><td>{{parameters}}</td></tr>
        {{/requests}}
        </tbody>
        </table>
        </div>
        </main>
        """
}
