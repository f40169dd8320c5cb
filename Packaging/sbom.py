"""The list of what a release contains, as SPDX 2.3 in JSON."""

import datetime
import hashlib
import re


def spdx_id(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name)


def document(name, version, architecture, components, executables, time):
    """- Parameters:
        executables: paths of the files in the release, which this names with their hashes.
        time: of the release, in seconds since 1970.
    """
    root = spdx_id(name)
    packages = [{
        "SPDXID": root, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION",
        "externalRefs": [purl(f"pkg:generic/siwa@{version}?arch={architecture}")],
    }]
    relationships = [relationship("SPDXRef-DOCUMENT", "DESCRIBES", root)]
    for component in components:
        identifier = spdx_id(component.name)
        package = {
            "SPDXID": identifier, "name": component.name, "versionInfo": component.version,
            "downloadLocation": component.download, "filesAnalyzed": False, "licenseConcluded": component.licence,
            "licenseDeclared": component.licence, "copyrightText": "NOASSERTION",
            "primaryPackagePurpose": "LIBRARY", "externalRefs": [purl(component.purl)],
        }
        if component.comment:
            package["comment"] = component.comment
        packages.append(package)
        relationships.append(relationship(root, "CONTAINS", identifier))
    files = []
    for path in executables:
        identifier = spdx_id(f"File-{path.name}")
        content = path.read_bytes()
        files.append({
            "SPDXID": identifier, "fileName": f"./bin/{path.name}", "fileTypes": ["BINARY"],
            "checksums": [
                {"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()},
            ],
            "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
        })
        # A package whose files are not all listed may contain none of the document's.
        relationships.append(relationship("SPDXRef-DOCUMENT", "DESCRIBES", identifier))
    label = f"{name}-{version}-linux-{architecture}"
    hashes = "".join(checksum["checksumValue"] for file in files for checksum in file["checksums"])
    digest = hashlib.sha256(hashes.encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": label,
        # A name of this document alone; nothing is served there.
        "documentNamespace": f"https://spdx.org/spdxdocs/{label}-{digest}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: siwa-Packaging/release.py"],
        },
        "packages": packages, "files": files, "relationships": relationships,
    }


def purl(locator):
    return {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}


def relationship(element, kind, related):
    return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related}
