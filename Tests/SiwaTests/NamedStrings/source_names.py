"""Prints the names that only the source code tells, one a line, as `what: name`.

These are the raw values of types that are stored or sent, the keys of log metadata, the names of metrics and spans, the
labels of key derivations, and the prefixes of identifiers. The code is formatted by swift-format, so indentation shows
where a declaration ends. Standard library alone.
"""

import re
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[3] / "Sources"

# Types whose raw values are stored, sent, logged, measured or fed to a key derivation. When a type is renamed, its name
# changes here and the recorded lines stay as they are.
WORDS = [
    ("audit event", "AuditEvent"), ("audit actor", "AuditActor.Kind"), ("session end", "SessionEndReason"),
    ("session kind", "Session.Kind"), ("account event", "AccountEvent.Kind"), ("webhook notice", "AccountNotice.Kind"),
    ("webhook body", "WebhookBody.Kind"), ("pending notice", "PendingNotice.State"),
    ("outbox entry", "OutboxEntry.Kind"), ("outbox state", "OutboxEntry.State"), ("deletion state", "Deletion.State"),
    ("attempt purpose", "Attempt.Purpose"), ("challenge purpose", "Challenge.Purpose"),
    ("challenge purpose sent", "ChallengePurpose"), ("used credential", "UsedCredential.Kind"),
    ("wrong code", "WrongCodeLimit.Kind"), ("notification outcome", "NotificationOutcome"),
    ("authorization failure", "AuthorizationFailure"), ("credential state", "CredentialState"),
    ("Apple token", "AppleTokenStatus"), ("unused token", "UnusedTokenFate"), ("export list", "AccountExport.List"),
    ("server key purpose", "ServerKey.Purpose"), ("server key state", "ServerKey.State"),
    ("sealed column", "SealedColumn"), ("seal purpose", "Seal.Purpose"), ("cookie", "CookieName"),
    ("access token claim", "AccessTokens.Claims.CodingKeys"), ("error code sent", "ErrorCode.Known"),
    ("error code of the domain", "AccountError.Code.Value"), ("error code of AppleID", "AppleIDError.Code.Value"),
    ("error code of AccountTokens", "AccessTokenError.Code.Value"),
    ("error code of OpenIDConnect", "OpenIDConnectError.Code.Value"), ("call of a provider", "ProviderCall"),
    ("stored attempt at a provider", "ProviderAttempt.CodingKeys"),
    ("error code of AccountMail", "AccountMailError.Code.Value"), ("mail failure", "MailFailure"),
    ("mail failure of the relay", "RelayFailure"),
    ("template form", "MailTemplateFiles.Form"),
    ("transport failure", "TransportFailure.Cause.Value"), ("call of Apple", "AppleCall"),
    ("deletion status sent", "DeletionStatus"), ("Apple access sent", "AppleAccessState"),
    ("Apple token sent", "AppleTokenState"), ("email forwarding sent", "EmailForwarding"),
    ("consent purpose sent", "ConsentBody.Purpose"), ("consent purpose", "Consent.Purpose"),
    ("reason against a password", "PasswordRules.Refusal.Reason"), ("import source", "ImportFormat"),
    ("import problem", "ImportProblem"), ("import fact", "CSVMapping.Fact"),
    ("reason against a password sent", "PasswordRefusal.Reason"),
    ("profile member", "ProfileMember"), ("mail", "Mail.Kind"), ("mail state", "ListedMail.State"),
    ("readiness sent", "ReadinessStatus"),
    ("stored record of the client", "StoredRecord.CodingKeys"),
    ("Apple's button", "AppleButton.Style"), ("Apple's button title", "AppleButton.Title"),
    ("sign-in script", "SignInScript"), ("cause found by the doctor", "InvalidClientCause"),
    ("transfer state", "PersonTransfer.State"), ("transfer failure", "TransferFailure"),
    ("way of a transfer", "TransferWay"),
]

LITERALS = [
    ("key derivation", r'derivedKeys\(for: "([^"]+)"'), ("key derivation", r'derived\(for: "([^"]+)"'),
    ("key derivation begins", r'info: Data\("([^"\\]+)'), ("prefix", r'static let prefix = "([^"]+)"'),
    ("token type", r'"typ":"([^"]+)"'),
    ("metric or span", r'"((?:accounts|apple_id|account_tokens|open_id_connect)\.[a-z_.]+)(?:"|\\)'),
]

DECLARATION = re.compile(
    r"^(?:(?:public|package|private|fileprivate|final|indirect) )*(?:struct|enum|extension|class|actor) ([\w.]+)([^{]*)\{$")


def raw_values(text, into):
    """Adds the raw values that each type declares to `into`, by the type's name with those around it."""
    scopes = []
    for line in text.split("\n"):
        code = line.strip()
        if not code:
            continue
        indent = len(line) - len(line.lstrip())
        if scopes and scopes[-1][0] == indent and code.startswith("}"):
            scopes.pop()
        if found := DECLARATION.match(code):
            scopes.append((indent, found.group(1), ": String" in found.group(2)))
            continue
        if not scopes:
            continue
        values = into.setdefault(".".join(name for _, name, _ in scopes), set())
        if found := re.search(r'Self\((?:rawValue: )?"([^"]*)"\)', code):
            values.add(found.group(1))
        elif found := re.match(r'case `?\w+`? = "([^"]*)"', code):
            values.add(found.group(1))
        elif scopes[-1][2] and (found := re.match(r"case ([`\w, ]+)$", code)):
            values.update(name.strip(" `") for name in found.group(1).split(","))


def region(text, start):
    """From an opening bracket to the one that closes it."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] in "[({":
            depth += 1
        elif text[index] in "])}":
            depth -= 1
            if depth == 0:
                return text[start:index]
    return text[start:]


def main():
    texts = [path.read_text(encoding="utf-8") for path in sorted(SOURCES.rglob("*.swift"))]
    declared, lines = {}, []
    for text in texts:
        raw_values(text, declared)
    for what, name in WORDS:
        if not declared.get(name):
            sys.exit(f"{name} declares no raw value; was it renamed? Then its name changes in WORDS of {__file__}.")
        lines += [f"{what}: {value}" for value in declared[name]]
    for text in texts:
        for what, pattern in LITERALS:
            lines += [f"{what}: {value}" for value in re.findall(pattern, text)]
        lines += [
            f"log metadata: {key}"
            for key in re.findall(r'etadata\["([a-z][\w.]*)"\]', text) + re.findall(r'metadataKey: "([\w.]+)"', text)
        ]
        for start in re.finditer(r"etadata: \[|Logger\.Metadata = \[|-> Logger\.Metadata \{", text):
            inside = region(text, start.end() - 1)
            lines += [f"log metadata: {key}" for key in re.findall(r'"([a-z][\w.]*)":', inside)]
        for start in re.finditer(r'dimensions(?:: | = | \+ )\[', text):
            inside = region(text, text.index("[", start.start()))
            lines += [f"metric dimension: {name}" for name in re.findall(r'\("([a-z_]+)", ', inside)]
    print("\n".join(sorted(set(lines))))


if __name__ == "__main__":
    main()
