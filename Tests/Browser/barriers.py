"""The barriers that axe-core finds on a page, and the page's width on a small screen."""

import contextlib
import os

from axe_playwright_python.sync_playwright import Axe

from conftest import Demo, Person


# The rules of axe-core about colours. All other rules find the same in the light and in the dark colour scheme.
ABOUT_COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def assert_no_barrier(page, name="", within=None):
    """axe-core finds nothing on the page, or in the part of it that the CSS selector names, in either colour scheme."""
    # Elements are there before the stylesheet is. Without it, their colours are the browser's own.
    page.wait_for_load_state("load")
    for scheme, rules in [("dark", ABOUT_COLORS), ("light", {})]:
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page, within, rules)
        assert results.violations_count == 0, f"{name}, {scheme}\n" + results.generate_report()


def assert_fits(page, name, picture, wide=False):
    """axe-core finds nothing on the page, and nothing is cut off or needs scrolling sideways on a small screen.

    If SCREENSHOTS names a folder, the page is drawn there in both colour schemes; with `wide`, on a large screen too.
    """
    assert_no_barrier(page, name)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 320, f"{name} is {width} pixels wide"
    if folder := os.environ.get("SCREENSHOTS"):
        small, picture = page.viewport_size, picture.replace(",", "").replace(" ", "-")
        for scheme in ["dark", "light"]:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=f"{folder}/{picture}-{scheme}.png", full_page=True)
            if wide:
                page.set_viewport_size({"width": 1000, "height": 800})
                page.screenshot(path=f"{folder}/{picture}-{scheme}-wide.png", full_page=True)
                page.set_viewport_size(small)


@contextlib.contextmanager
def small_screen(browser):
    """A page on a small screen."""
    context = browser.new_context(viewport={"width": 320, "height": 640})
    try:
        yield context.new_page()
    finally:
        context.close()


def assert_every_page_fits(page, names, picture, wide=True):
    """assert_fits for each page at which the generator `names` stops; it leads from page to page and says their names."""
    for number, name in enumerate(names):
        assert_fits(page, name, f"{picture}-{number:02}-{name}", wide=wide)


def assert_every_page_of_a_demo_fits(browser, folder, every_page, picture, wide=True):
    """assert_every_page_fits in front of a demo of its own. `every_page` takes a person and the folder of the demo's data."""
    data = folder / "data"
    with Demo(folder, "--data", str(data)) as demo, small_screen(browser) as page:
        assert_every_page_fits(page, every_page(Person(page, demo), data), picture, wide=wide)
