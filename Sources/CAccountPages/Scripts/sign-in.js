// Ties the sign-in page's button to Apple's script.
//
// It decides nothing. The server begins the attempt. The popup's answer is posted to the callback, as Apple itself
// would have the browser post it, so that the server judges state, browser and nonce. If anything is missing or fails,
// the browser follows the link.
//
// Some browsers open a window only while they handle the click itself, so an attempt must be there before. It is a row
// in the database. So it begins when somebody is about to click, with the pointer or the keyboard at the button, and not
// with the page. Fingers give no such sign; on a touch screen the attempt begins with the page.
(function () {
  "use strict";
  var link = document.querySelector("a.apple-button");
  var usePopup = document.currentScript.dataset.mode === "popup";
  // In milliseconds. An attempt lives ten minutes, and the person needs most of them at Apple.
  var renewedAfter = 180000, usableFor = 300000, patience = 3000;
  var attempt = null;
  var coming = null;
  var isWaiting = false;
  if (!link || !window.AppleID) return;

  link.addEventListener("click", function (event) {
    // A click with these opens the link elsewhere.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (isWaiting) return;
    if (age() < usableFor) return signIn();
    isWaiting = true;
    Promise.race([begin(), giveUp()]).then(signIn).catch(follow).then(function () { isWaiting = false; });
  });

  // If no popup is used, the browser leaves whenever it is told to, so the click is early enough.
  if (usePopup) {
    ["pointerenter", "pointerdown", "focus"].forEach(function (name) { link.addEventListener(name, prepare); });
    if (link.matches(":hover, :focus") || window.matchMedia("(hover: none)").matches) prepare();
  }

  function prepare() {
    if (age() < renewedAfter) return;
    // The click tries once more, and has the link.
    begin().catch(function () {});
  }

  function age() {
    return attempt ? Date.now() - attempt.begun : Infinity;
  }

  function begin() {
    if (!coming) coming = fetchAttempt();
    return coming;
  }

  function fetchAttempt() {
    var begun = Date.now();
    var options = { method: "POST", headers: { Accept: "application/json" } };
    return fetch(link.href, options).then(function (answer) {
      if (!answer.ok) throw new Error("The sign-in cannot begin.");
      return answer.json();
    }).then(function (next) {
      AppleID.auth.init({
        clientId: next.clientID, redirectURI: next.redirectURI, scope: next.scope, state: next.state,
        nonce: next.nonce, usePopup: usePopup
      });
      attempt = { begun: begun, redirectURI: next.redirectURI, state: next.state };
    }).finally(function () { coming = null; });
  }

  function giveUp() {
    return new Promise(function (resolve, reject) { setTimeout(reject, patience); });
  }

  function follow() {
    window.location.assign(link.href);
  }

  function signIn() {
    var asked = attempt;
    try {
      var answer = AppleID.auth.signIn();
      if (!usePopup) {
        // Spent when the person comes back to this page.
        attempt = null;
        return;
      }
      answer.then(function (data) {
        var fields = { code: data.authorization.code, id_token: data.authorization.id_token,
          state: data.authorization.state };
        if (data.user) fields.user = JSON.stringify(data.user);
        post(asked.redirectURI, fields);
      }, function (failure) {
        var error = failure && failure.error;
        // Nothing has come of the attempt, and the next click may use it again.
        if (error === "popup_closed_by_user" || error === "user_trigger_new_signin_flow") return;
        if (!error || error === "popup_blocked_by_browser") return follow();
        post(asked.redirectURI, { error: error, state: asked.state });
      });
    } catch (error) {
      follow();
    }
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
    // Spent, too; a browser may bring this page back as it was.
    attempt = null;
    form.submit();
  }
})();
