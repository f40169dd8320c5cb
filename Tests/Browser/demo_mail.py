"""The mails that a demo's people get, as the emulator's inbox has them."""

import json
import re
import time
import urllib.request

# A mail leaves within a second. A busy machine needs longer.
PATIENCE = 60


def ask(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


def mails(demo, person="johnny"):
    """Newest first, with their texts."""
    listed = ask(f"{demo.emulator}/emulator/mail?person={person}")["mails"]
    return [ask(f"{demo.emulator}/emulator/mail/{mail['id']}") for mail in listed]


def new_mail(demo, before, person="johnny"):
    """Waits for a mail besides those with these ids, and returns the only one."""
    deadline = time.monotonic() + PATIENCE
    while not (new := [mail for mail in mails(demo, person) if mail["id"] not in before]):
        assert time.monotonic() < deadline, "no mail came"
        time.sleep(0.05)
    assert len(new) == 1, new
    return new[0]


def link_in_mail(demo, path, person="johnny", besides=()):
    """Waits for a mail with a link to a page below the path, other than these, and returns the link."""
    pattern = re.compile(re.escape(demo.service + path) + r"[\w-]{43}(?![\w-])")
    deadline = time.monotonic() + PATIENCE
    while True:
        for mail in mails(demo, person):
            for link in pattern.findall(mail["text"]):
                # The person reads the same link in both forms of the mail.
                assert link in mail["html"], mail
                if link not in besides:
                    return link
        assert time.monotonic() < deadline, mails(demo, person)
        time.sleep(0.05)
