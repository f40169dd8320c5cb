/// What ties the sign-in page's button to Apple's script.
///
/// It decides nothing. The attempt is begun by the server, and what the popup brings is posted to the callback as Apple
/// itself would have it posted, so that state, browser and nonce are judged there. Where anything is missing or fails,
/// the link is followed.
enum SignInPageScript {
    static let text = """
        (function () {
          "use strict";
          var link = document.querySelector("a.apple-button");
          var usePopup = document.currentScript.dataset.mode === "popup";
          var isBeginning = false;
          if (!link || !window.AppleID) return;

          link.addEventListener("click", function (event) {
            // With these the browser opens the link elsewhere.
            if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            if (isBeginning) return;
            isBeginning = true;
            begin().then(signIn).catch(follow).then(function () { isBeginning = false; });
          });

          function follow() {
            window.location.assign(link.href);
          }

          function begin() {
            return fetch(link.href, { method: "POST", headers: { Accept: "application/json" } }).then(function (answer) {
              if (!answer.ok) throw new Error("The sign-in cannot begin.");
              return answer.json();
            });
          }

          function signIn(attempt) {
            AppleID.auth.init({
              clientId: attempt.clientID, redirectURI: attempt.redirectURI, scope: attempt.scope, state: attempt.state,
              nonce: attempt.nonce, usePopup: usePopup
            });
            var answer = AppleID.auth.signIn();
            if (!usePopup) return;
            answer.then(function (data) {
              var fields = { code: data.authorization.code, id_token: data.authorization.id_token,
                state: data.authorization.state };
              if (data.user) fields.user = JSON.stringify(data.user);
              post(attempt.redirectURI, fields);
            }, function (failure) {
              var error = failure && failure.error;
              if (error === "popup_closed_by_user" || error === "user_trigger_new_signin_flow") return;
              if (!error || error === "popup_blocked_by_browser") return follow();
              post(attempt.redirectURI, { error: error, state: attempt.state });
            });
          }

          function post(address, fields) {
            var form = document.createElement("form");
            form.method = "post";
            form.action = address;
            Object.keys(fields).forEach(function (name) {
              var input = document.createElement("input");
              input.type = "hidden";
              input.name = name;
              input.value = fields[name];
              form.append(input);
            });
            document.body.append(form);
            form.submit();
          }
        })();

        """
}
