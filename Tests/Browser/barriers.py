"""The barriers that axe-core finds on a page."""

from axe_playwright_python.sync_playwright import Axe


def assert_no_barrier(page, name="", within=None):
    """axe-core finds nothing on the page, or in the part of it that the CSS selector names."""
    # Elements are there before the stylesheet is. Without it, their colours are the browser's own.
    page.wait_for_load_state("load")
    results = Axe().run(page, within)
    assert results.violations_count == 0, name + "\n" + results.generate_report()
