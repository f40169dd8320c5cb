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
        <th scope="col">Parameters</th><th scope="col">Fault</th><th scope="col">Ago</th></tr></thead>
        <tbody>
        {{#requests}}
        <tr><th scope="row"><code>{{method}} {{path}}</code></th><td>{{status}} <code>{{error}}</code></td>
        <td><code>{{client}}</code></td><td>{{parameters}}</td><td>{{faults}}</td><td>{{age}}</td></tr>
        {{/requests}}
        </tbody>
        </table>
        </div>
        </main>
        """
}
