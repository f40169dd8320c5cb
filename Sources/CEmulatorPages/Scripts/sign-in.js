// siwa emulator: stands in for Sign in with Apple JS in development and tests. This is not Apple's script.
(function (settings) {
  "use strict";

  var script = document.currentScript || document.querySelector('script[src*="/appleid.auth.js"]');
  var origin = new URL(script.src).origin;
  var names = { clientId: "client-id", scope: "scope", redirectURI: "redirect-uri", state: "state",
    nonce: "nonce", usePopup: "use-popup" };
  var config = null;
  var pending = null;

  // MARK: Configuration

  function metaTags() {
    var values = {};
    Object.keys(names).forEach(function (name) {
      var tag = document.querySelector('meta[name="appleid-signin-' + names[name] + '"]');
      if (tag) values[name] = name === "usePopup" ? tag.content === "true" : tag.content;
    });
    return values;
  }

  function merged(first, second) {
    var values = {};
    Object.keys(names).forEach(function (name) {
      var changed = second && second[name] !== undefined;
      values[name] = changed ? second[name] : first[name];
    });
    return values;
  }

  function checked(values) {
    ["clientId", "redirectURI"].forEach(function (name) {
      if (typeof values[name] !== "string" || values[name] === "") {
        throw new Error("AppleID.auth: " + name + " must be a string that is not empty.");
      }
    });
    ["scope", "state", "nonce"].forEach(function (name) {
      if (values[name] !== undefined && typeof values[name] !== "string") {
        throw new Error("AppleID.auth: " + name + " must be a string.");
      }
    });
    values.usePopup = values.usePopup === undefined ? settings.popupByDefault : Boolean(values.usePopup);
    return values;
  }

  function init(values) {
    config = checked(merged(metaTags(), values));
    renderButton();
  }

  // MARK: Signing in

  function address(values, mode) {
    var query = [["client_id", values.clientId], ["redirect_uri", values.redirectURI],
      ["response_type", "code id_token"], ["state", values.state], ["scope", values.scope],
      ["nonce", values.nonce], ["response_mode", mode], ["frame_id", frameID()], ["m", "12"], ["v", "1.5.5"]];
    return target().href + "?" + query.filter(function (pair) { return pair[1]; })
      .map(function (pair) { return pair[0] + "=" + encodeURIComponent(pair[1]); }).join("&");
  }

  // The address is here, unless the page has the tags with which the script of 2019 could be sent elsewhere. A third
  // tag, dev-env, changes nothing, since the meaning of its values is not known.
  function target() {
    var here = new URL("/auth/authorize", origin);
    if (!settings.honoursDevTags) return here;
    var tags = ["uri", "path"].map(function (name) {
      var tag = document.querySelector('meta[name="appleid-signin-dev-' + name + '"]');
      return tag ? tag.content : "";
    });
    try {
      var there = new URL(tags[1] || here.pathname, tags[0] || origin);
      there.search = there.hash = "";
      return /^https?:$/.test(there.protocol) ? there : here;
    } catch (error) { return here; }
  }

  // crypto.randomUUID is not there on plain http.
  function frameID() {
    var digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), function (byte) {
      return (byte + 256).toString(16).slice(1);
    }).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  function signIn(changes) {
    if (!config) throw new Error("AppleID.auth: call init before signIn.");
    var values = checked(merged(config, changes));
    if (values.usePopup) return signInWithPopup(values);
    window.location.assign(address(values, "form_post"));
    // The browser leaves the page, so nobody is there to be told how it ended.
    return new Promise(function () {});
  }

  function signInWithPopup(values) {
    if (pending) end({ error: "user_trigger_new_signin_flow" }, true);
    return new Promise(function (resolve, reject) {
      pending = { resolve: resolve, reject: reject, popup: null, timer: 0, origin: target().origin };
      var popup = window.open(address(values, "web_message"), "Apple authentication", features());
      if (!popup) return end({ error: "popup_blocked_by_browser" });
      pending.popup = popup;
      pending.timer = setInterval(function () {
        if (popup.closed) end({ error: "popup_closed_by_user" });
      }, 300);
      popup.focus();
    });
  }

  function features() {
    var left = Math.round(window.screenX + (window.outerWidth - 700) / 2);
    var top = Math.round(window.screenY + (window.outerHeight - 700) / 2);
    return "popup,width=700,height=700,left=" + left + ",top=" + top;
  }

  // A window of the same name is used again, so it stays when another sign-in takes the place of this one.
  function end(data, staysOpen) {
    var ended = pending;
    pending = null;
    clearInterval(ended.timer);
    if (ended.popup && !staysOpen) ended.popup.close();
    if (data.error !== undefined) {
      tell("AppleIDSignInOnFailure", { error: data.error });
      ended.reject({ error: data.error });
    } else {
      tell("AppleIDSignInOnSuccess", settings.detailInData ? { data: data } : data);
      ended.resolve(data);
    }
  }

  function tell(name, detail) {
    document.dispatchEvent(new CustomEvent(name, { detail: detail }));
  }

  window.addEventListener("message", function (event) {
    if (!pending || event.origin !== pending.origin || event.source !== pending.popup) return;
    var message;
    try { message = JSON.parse(event.data); } catch (error) { return; }
    if (message && message.method === "oauthDone" && message.data) end(message.data);
  });

  // MARK: The button

  function renderButton() {
    document.querySelectorAll('[id="appleid-signin"]').forEach(render);
  }

  function render(container) {
    var data = container.dataset;
    var mode = oneOf(data.mode, ["center-align", "left-align", "logo-only"]);
    var type = oneOf(data.type === "sign in" ? "sign-in" : data.type, ["sign-in", "continue", "sign-up"]);
    var isWhite = oneOf(data.color, ["black", "white"]) === "white";
    var ink = isWhite ? "black" : "white";
    var height = number(data.height, 30, 64);
    var width = number(data.width, 130, 375);

    var button = document.createElement("div");
    button.setAttribute("role", "button");
    button.setAttribute("aria-label", settings.titles[type]);
    button.tabIndex = 0;
    button.title = "siwa emulator, not Apple";
    button.lang = settings.language;
    button.dir = settings.direction;
    Object.assign(button.style, {
      position: "relative", display: "flex", alignItems: "center", boxSizing: "border-box", overflow: "hidden",
      justifyContent: mode === "left-align" ? "flex-start" : "center", cursor: "pointer",
      width: width ? width + "px" : "100%", height: height ? height + "px" : "100%",
      minWidth: "130px", maxWidth: "375px", minHeight: "30px", maxHeight: "64px",
      background: isWhite ? "white" : "black", color: ink,
      border: oneOf(data.border, ["true", "false"]) === "true" ? "1px solid " + ink : "0",
      borderRadius: numberOr(15, number(data.borderRadius, 0, 50)) + "px",
      font: "500 16px/1 system-ui, -apple-system, sans-serif", whiteSpace: "nowrap"
    });
    button.addEventListener("click", press);
    button.addEventListener("keydown", function (event) {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press();
    });
    container.replaceChildren(button);

    // If the height is 100%, only the page knows how high that is.
    height = clamped(button.offsetHeight, 30, 64);
    if (mode === "logo-only") {
      button.style.minWidth = button.style.width = height + "px";
      button.append(drawing(height * 0.6, ink));
    } else if (mode === "left-align") {
      var share = { small: 0.4, medium: 0.5, large: 0.6 }[oneOf(data.logoSize, ["small", "medium", "large"])];
      var logo = drawing(height * share, ink);
      // The title begins in the first half of the button, and the logo no later than the title.
      var half = Math.floor(button.offsetWidth / 2);
      var position = number(data.labelPosition, 0, half);
      var logoPosition = number(data.logoPosition, 0, position || half) || height / 8;
      logo.style.marginInlineStart = logoPosition - button.clientLeft + "px";
      button.append(logo, label(type, height * 0.43));
      place(button, position, height);
    } else {
      button.append(drawing(height * 0.43, ink), label(type, height * 0.43));
      fit(button, height);
    }
  }

  function label(type, size) {
    var text = document.createElement("span");
    text.textContent = settings.titles[type];
    text.style.fontSize = size + "px";
    text.style.marginInlineStart = "0.4em";
    return text;
  }

  // Long titles in narrow buttons get smaller letters, and in the middle a smaller mark with them.
  function fit(button, height) {
    var parts = [button.firstChild, button.lastChild];
    var length = parts[0].getBoundingClientRect().width + height * 0.17 + parts[1].offsetWidth;
    var share = Math.min(1, (button.clientWidth - 16) / length);
    parts[0].setAttribute("width", height * 0.43 * share);
    parts[0].setAttribute("height", height * 0.43 * share);
    parts[1].style.fontSize = height * 0.43 * share + "px";
  }

  function place(button, position, height) {
    var text = button.lastChild;
    if (position) {
      Object.assign(text.style, { position: "absolute", marginInlineStart: "0", insetInlineStart: position - button.clientLeft + "px" });
    }
    var outer = button.getBoundingClientRect();
    var inner = text.getBoundingClientRect();
    var start = settings.direction === "rtl" ? outer.right - inner.right : inner.left - outer.left;
    var share = Math.min(1, Math.max(outer.width - start - 8, outer.width / 4) / inner.width);
    text.style.fontSize = height * 0.43 * share + "px";
  }

  function drawing(size, ink) {
    var namespace = "http://www.w3.org/2000/svg";
    var image = document.createElementNS(namespace, "svg");
    var path = document.createElementNS(namespace, "path");
    var attributes = { d: settings.mark, fill: "none", stroke: ink, "stroke-width": "2",
      "stroke-linecap": "round", "stroke-linejoin": "round" };
    Object.keys(attributes).forEach(function (name) { path.setAttribute(name, attributes[name]); });
    image.setAttribute("viewBox", "0 0 24 24");
    image.setAttribute("aria-hidden", "true");
    image.setAttribute("width", size);
    image.setAttribute("height", size);
    image.style.flex = "none";
    image.append(path);
    return image;
  }

  // A failure is told by the events.
  function press() {
    signIn().catch(function () {});
  }

  // The first word is what holds when the value is none of them.
  function oneOf(value, words) {
    return words.indexOf(value) < 0 ? words[0] : value;
  }

  function clamped(value, least, most) {
    return Math.min(Math.max(value, least), most);
  }

  // Undefined where there is no number, as with "100%".
  function number(text, least, most) {
    return /^[0-9]+$/.test(text) ? clamped(Number(text), least, most) : undefined;
  }

  function numberOr(usual, value) {
    return value === undefined ? usual : value;
  }

  // MARK: Start

  window.AppleID = { auth: { init: init, signIn: signIn, renderButton: renderButton } };

  function start() {
    renderButton();
    if (!config && metaTags().clientId !== undefined) init();
    document.dispatchEvent(new Event("AppleIDSigInLoaded"));
  }

  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", start);
  } else {
    start();
  }
})
