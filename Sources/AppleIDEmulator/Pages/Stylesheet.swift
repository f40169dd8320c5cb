/// How the pages look: one calm card, light or dark as the system has it, wide enough targets, visible focus.
enum Stylesheet {
    static let text = """
        :root {
          color-scheme: light dark;
          --back: #f2f2f5; --card: #ffffff; --ink: #1d1d1f; --soft: #5f5f66; --line: #d6d6dc; --fill: #f6f6f9;
          --accent: #0b57c4; --accent-ink: #ffffff; --accent-over: #0a4aa6;
          --notice: #fdecc8; --notice-ink: #5c3a00;
          --bad: #b3261e; --bad-back: #fdeceb; --good: #146c2e; --good-back: #e7f5ea;
          --shadow: 0 1px 2px rgb(0 0 0 / .06), 0 12px 40px rgb(0 0 0 / .09);
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #101012; --card: #1c1c1f; --ink: #f4f4f6; --soft: #a9a9b2; --line: #3a3a41; --fill: #26262b;
            --accent: #7db1ff; --accent-ink: #06142b; --accent-over: #a3c8ff;
            --notice: #3d2c08; --notice-ink: #fbd88a;
            --bad: #ffb4ab; --bad-back: #3b1614; --good: #8fdba3; --good-back: #12301b;
            --shadow: 0 0 0 1px rgb(255 255 255 / .06);
          }
        }
        *, *::before, *::after { box-sizing: border-box; }
        body {
          margin: 0; min-height: 100vh; padding: 0 16px 40px;
          display: flex; flex-direction: column; align-items: center; gap: 28px;
          background: var(--back); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
          overflow-wrap: anywhere;
        }
        .notice {
          align-self: stretch; margin: 0 -16px; padding: 9px 16px; text-align: center; font-size: 14px;
          background: var(--notice); color: var(--notice-ink);
        }
        .card {
          width: 100%; max-width: 432px; margin: auto 0; padding: 36px 32px 28px;
          background: var(--card); border-radius: 20px; box-shadow: var(--shadow); text-align: center;
        }
        .card.wide { max-width: 860px; margin: 0; text-align: start; }
        h1 { margin: 0; font-size: 25px; line-height: 1.25; font-weight: 650; letter-spacing: -.012em; }
        h2 { margin: 30px 0 8px; font-size: 17px; font-weight: 650; }
        .lead { margin: 10px 0 0; color: var(--soft); }
        .lead strong { color: var(--ink); font-weight: 600; }
        .hint { margin: 6px 0 10px; font-size: 14px; color: var(--soft); }
        .address { color: var(--soft); font-size: 14px; }
        .avatar {
          flex: none; display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50%;
          background: var(--fill); border: 1px solid var(--line); color: var(--soft); font-size: 14px; font-weight: 600;
        }
        .avatar.large { width: 64px; height: 64px; margin: 0 auto 16px; font-size: 22px; }
        form { margin: 24px 0 0; }
        fieldset { margin: 0 0 20px; padding: 0; border: 0; text-align: start; min-width: 0; }
        legend { padding: 0; font-weight: 600; }
        .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; }
        .field { text-align: start; }
        .field label { display: block; margin-bottom: 4px; font-size: 14px; }
        .field input {
          width: 100%; min-height: 44px; padding: 8px 12px; font: inherit; color: inherit;
          background: var(--fill); border: 1px solid #85858f; border-radius: 10px;
        }
        .options, .people {
          margin: 8px 0 0; padding: 0; list-style: none; text-align: start;
          border: 1px solid var(--line); border-radius: 14px; overflow: hidden;
        }
        .option { display: flex; align-items: center; gap: 12px; min-height: 58px; padding: 10px 14px; cursor: pointer; }
        .option + .option, .people li + li { border-top: 1px solid var(--line); }
        .option input { flex: none; width: 20px; height: 20px; margin: 0; accent-color: var(--accent); }
        .option .choice, .who .name { display: block; font-weight: 550; }
        .option:has(:checked) { background: var(--fill); }
        button {
          min-height: 46px; padding: 10px 20px; font: inherit; font-weight: 550; cursor: pointer;
          color: var(--ink); background: transparent; border: 1px solid var(--line); border-radius: 12px;
        }
        button:hover { background: var(--fill); }
        button.primary { color: var(--accent-ink); background: var(--accent); border-color: transparent; }
        button.primary:hover { background: var(--accent-over); }
        .person {
          display: flex; align-items: center; gap: 14px; width: 100%; min-height: 64px; padding: 10px 14px;
          border: 0; border-radius: 0; text-align: start; font-weight: 400;
        }
        .who { min-width: 0; }
        .who .address { display: block; }
        .row {
          display: flex; align-items: center; gap: 12px; min-height: 52px; padding: 10px 14px;
          color: var(--ink); text-decoration: none; font-weight: 550;
        }
        .row .address { font-weight: 400; }
        .row::after { content: "›" / ""; margin-inline-start: auto; color: var(--soft); font-size: 20px; }
        .row:hover { background: var(--fill); }
        .problem, .done { margin: 16px 0 0; padding: 10px 14px; border-radius: 10px; text-align: start; font-size: 15px; }
        .problem { color: var(--bad); background: var(--bad-back); }
        .done { color: var(--good); background: var(--good-back); }
        button.danger { color: var(--bad); }
        .card > h2 { text-align: start; }
        dl { margin: 24px 0 0; text-align: start; border: 1px solid var(--line); border-radius: 14px; }
        dl > div { padding: 10px 14px; }
        dl > div + div { border-top: 1px solid var(--line); }
        dt { font-size: 14px; color: var(--soft); }
        dd { margin: 0; }
        .actions { display: grid; gap: 10px; margin-top: 24px; }
        .details { margin: 22px 0 0; font-size: 13px; color: var(--soft); }
        a { color: var(--accent); }
        code { font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        .plain { margin: 0; padding: 0; list-style: none; }
        .plain li { padding: 4px 0; }
        .scroll { overflow-x: auto; }
        table { width: 100%; min-width: 560px; border-collapse: collapse; font-size: 14px; overflow-wrap: break-word; }
        th, td { padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
        th { font-weight: 550; }
        th[scope="row"] { min-width: 200px; }
        th[scope="row"] code { overflow-wrap: anywhere; }
        th .address { font-weight: 400; }
        thead th { color: var(--soft); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        .person:focus-visible, .row:focus-visible, .option input:focus-visible { outline-offset: -3px; }
        @media (max-width: 480px) { .card { padding: 28px 20px 22px; } }
        @media (forced-colors: active) { .card, .avatar { border: 1px solid; } }

        """
}
