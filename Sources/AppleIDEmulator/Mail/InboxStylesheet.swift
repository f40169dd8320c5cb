/// What the pages with mail need beyond the others.
enum InboxStylesheet {
    static let text = """
        .mail { display: flex; flex-wrap: wrap; gap: 2px 12px; width: 100%; }
        .mail .subject { flex: 1 1 60%; font-weight: 550; }
        .mail time { color: var(--soft); font-size: 14px; font-weight: 400; }
        .mail .address { flex-basis: 100%; font-weight: 400; }
        .message {
          margin: 24px 0 0; padding: 16px; overflow-x: auto; white-space: pre-wrap; text-align: start;
          background: var(--fill); border: 1px solid var(--line); border-radius: 14px;
          font: 15px/1.55 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
        }
        details { margin: 16px 0 0; }
        summary { padding: 8px 0; cursor: pointer; font-weight: 550; }
        details .message { margin-top: 4px; font-size: 13px; }

        """
}
