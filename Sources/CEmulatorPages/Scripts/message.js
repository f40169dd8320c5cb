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
