/// The one style sheet of the pages, and their icon.
enum StyleSheet {
    /// - Parameter buttonRadius: Of Apple's button, in pixels. It is here because pages carry no inline styles.
    static func text(buttonRadius: Int) -> String {
        """
        :root {
          \(lightColours)
          --button-radius: \(min(max(buttonRadius, 0), 24))px;
          font: 17px/1.47 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, system-ui, sans-serif;
          -webkit-text-size-adjust: 100%;
        }
        :root[data-theme="dark"] { \(darkColours) }
        @media (prefers-color-scheme: dark) {
          :root[data-theme="automatic"] { \(darkColours) }
        }
        \(layout)
        \(content)
        \(controls)
        \(appleButton)
        """
    }

    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3a3a3c"/>\
        <circle cx="16" cy="12.5" r="4.5" fill="#fff"/><path d="M7.5 25.5c0-4.4 3.8-7 8.5-7s8.5 2.6 8.5 7Z" fill="#fff"/>\
        </svg>
        """

    private static let lightColours = """
        color-scheme: light; --ground: #f5f5f7; --card: #fff; --text: #1d1d1f; --muted: #6e6e73; --line: #e3e3e8;
          --fill: #ececf0; --fill-hover: #e2e2e7; --primary: #1d1d1f; --primary-text: #fff; --primary-hover: #3a3a3c;
          --focus: #0066cc; --note: #0b5c2b; --note-ground: #e4f5ea; --banner: #5c4300; --banner-ground: #fff3cd;
          --edge: #86868b; --wrong: #b3261e;
          --shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 12px 40px rgb(0 0 0 / 7%);
        """

    private static let darkColours = """
        color-scheme: dark; --ground: #0b0b0c; --card: #1c1c1e; --text: #f5f5f7; --muted: #a1a1a6; --line: #323235;
          --fill: #2c2c2e; --fill-hover: #3a3a3c; --primary: #f5f5f7; --primary-text: #1d1d1f; --primary-hover: #d9d9de;
          --focus: #4ba3ff; --note: #8fe0ab; --note-ground: #173222; --banner: #ffe08a; --banner-ground: #3a2e05;
          --edge: #8e8e93; --wrong: #ff8a80;
          --shadow: 0 0 0 1px rgb(255 255 255 / 6%);
        """

    private static let layout = """
        * { box-sizing: border-box; }
        body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
          background: var(--ground); color: var(--text); }
        main { flex: 1; display: flex; align-items: center; justify-content: center; padding: 32px 20px; }
        .banner { margin: 0; padding: 10px 20px; font-size: 14px; text-align: center; color: var(--banner);
          background: var(--banner-ground); }
        .banner span { overflow-wrap: anywhere; }
        .card { width: 100%; max-width: 420px; padding: 40px 36px; border-radius: 22px; background: var(--card);
          box-shadow: var(--shadow); }
        .centered { text-align: center; }
        @media (max-width: 460px) {
          main { padding: 16px; }
          .card { padding: 36px 24px; }
        }
        """

    private static let content = """
        h1 { margin: 0; font-size: 26px; line-height: 1.2; font-weight: 650; letter-spacing: -0.015em;
          overflow-wrap: anywhere; text-wrap: balance; }
        p { margin: 0; }
        .lead { margin-top: 10px; color: var(--muted); overflow-wrap: anywhere; text-wrap: pretty; }
        .lead strong { color: var(--text); font-weight: 600; }
        .app-icon { width: 64px; height: 64px; margin: 0 auto 22px; border-radius: 15px; display: grid;
          place-items: center; font-size: 30px; font-weight: 600; color: #fff;
          background: linear-gradient(160deg, #6b7280, #30343b); }
        .person { display: flex; align-items: center; gap: 18px; }
        .person > div:last-child { min-width: 0; }
        .person .lead { margin-top: 4px; font-size: 15px; }
        .avatar { flex: none; width: 64px; height: 64px; border-radius: 50%; display: grid; place-items: center;
          font-size: 28px; font-weight: 600; color: #fff; background: linear-gradient(160deg, #6b7280, #30343b); }
        .avatar svg { width: 36px; height: 36px; }
        dl { margin: 28px 0 0; border-top: 1px solid var(--line); }
        dl > div { padding: 14px 0; border-bottom: 1px solid var(--line); }
        dt { font-size: 13px; color: var(--muted); }
        dd { margin: 2px 0 0; }
        .address { display: block; overflow-wrap: anywhere; }
        .muted { color: var(--muted); }
        .note { display: inline-block; margin-top: 6px; padding: 2px 10px; border-radius: 99px; font-size: 13px;
          color: var(--note); background: var(--note-ground); }
        .doubt { color: var(--banner); background: var(--banner-ground); }
        .more { margin-top: 18px; font-size: 15px; text-align: center; }
        .more a { color: var(--focus); padding: 4px; }
        .sessions { margin: 24px 0 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
        .sessions li { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 14px; padding: 14px 0;
          border-bottom: 1px solid var(--line); }
        .sessions li > div { flex: 1 1 180px; min-width: 0; overflow-wrap: anywhere; }
        .sessions strong { display: block; font-weight: 600; }
        .sessions .note { margin: 2px 0 4px; }
        .fact { display: block; font-size: 14px; color: var(--muted); }
        .fact time { white-space: nowrap; }
        .fine { margin-top: 24px; font-size: 12px; color: var(--muted); overflow-wrap: anywhere; }
        .fine + .fine { margin-top: 4px; }
        dd code { font-size: 18px; font-weight: 600; letter-spacing: 0.06em; }
        code { font: 12px/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
        .fine code { -webkit-user-select: all; user-select: all; }
        """

    private static let controls = """
        .actions { margin: 30px 0 0; }
        .button { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 48px;
          padding: 8px 20px; border: 0; border-radius: 12px; font: inherit; font-weight: 550; line-height: 1.25; text-decoration: none;
          cursor: pointer; color: var(--text); background: var(--fill); }
        .button:hover { background: var(--fill-hover); }
        .small { width: auto; min-height: 44px; padding: 6px 16px; font-size: 15px; }
        .primary { color: var(--primary-text); background: var(--primary); }
        .primary:hover { background: var(--primary-hover); }
        .danger { color: #fff; background: #b3261e; }
        .danger:hover { background: #8f1d17; }
        .beside { margin-top: 12px; }
        .links { display: flex; flex-wrap: wrap; justify-content: center; gap: 6px 24px; margin-top: 22px; font-size: 15px; }
        .links a { padding: 4px; }
        .links a, .lead a, .warning a { color: inherit; text-underline-offset: 3px; }
        .actions > form + form { margin-top: 12px; }
        .field { margin-top: 26px; text-align: left; }
        .field label { display: block; font-size: 15px; font-weight: 550; }
        .field input { width: 100%; min-height: 56px; margin-top: 8px; padding: 0 16px; border: 1px solid var(--edge);
          border-radius: 12px; color: var(--text); background: var(--card); text-align: center;
          font: 600 24px/1 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: 0.12em;
          text-transform: uppercase; }
        .field input[aria-invalid] { border-color: var(--wrong); }
        .hint, .wrong { margin-top: 8px; font-size: 14px; }
        .hint { color: var(--muted); }
        .wrong { color: var(--wrong); font-weight: 550; }
        .warning { margin-top: 20px; padding: 12px 16px; border-radius: 12px; font-size: 15px; text-align: left;
          color: var(--banner); background: var(--banner-ground); }
        a:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
        @media (forced-colors: active) { .button, .apple-button, .card { border: 1px solid; } }
        """

    /// Apple's guidelines: never less than 140 by 30, title at 43 per cent of the height, logo as large as the letters
    /// stand high with its own margin, and a clear tenth of the height all around.
    private static let appleButton = """
        .apple-button { display: flex; align-items: center; justify-content: center; gap: 7px; width: 100%;
          max-width: 375px; min-width: 140px; height: 48px; margin: 0 auto; padding: 0 8%;
          border: 1px solid transparent; border-radius: var(--button-radius); font-size: 20px; line-height: 1;
          font-weight: 500; letter-spacing: -0.01em; white-space: nowrap; text-decoration: none;
          font-family: inherit; cursor: pointer; -webkit-user-select: none; user-select: none; }
        .apple-logo { flex: none; width: 18px; height: 21.6px; margin-top: -3px; }
        .apple-black, .apple-automatic { color: #fff; background: #000; }
        .apple-white { color: #000; background: #fff; }
        .apple-outlined { color: #000; background: #fff; border-color: #000; }
        @media (prefers-color-scheme: dark) {
          .apple-automatic { color: #000; background: #fff; }
        }
        .apple-button:active { opacity: 0.7; }
        """
}
