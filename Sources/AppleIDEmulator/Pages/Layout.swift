/// What stands around every page.
enum Layout {
    static let top = """
        {{% CONTENT_TYPE: SCALARS}}<!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>{{title}} · siwa emulator, not Apple</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/assets/emulator.css">
        </head>
        <body>
        <header class="notice"><strong>siwa emulator</strong> <span>For tests. This is not Apple.</span></header>

        """

    static let bottom = """

        </body>
        </html>

        """
}
