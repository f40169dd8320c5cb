"""CPostgres describes libpq without libpq's header. Here the two are compared."""

import subprocess

from components import ROOT
from conftest import run

INCLUDE = ["-I", ROOT / "Sources/CPostgres/include", "-I", "/usr/include/postgresql"]
CONSTANTS = [
    "CONNECTION_OK", "CONNECTION_BAD", "PGRES_POLLING_FAILED", "PGRES_POLLING_READING", "PGRES_POLLING_WRITING",
    "PGRES_POLLING_OK", "PGRES_EMPTY_QUERY", "PGRES_COMMAND_OK", "PGRES_TUPLES_OK", "PQTRANS_IDLE",
    "sizeof(Oid)", "sizeof(PQconninfoOption)", "offsetof(PQconninfoOption, keyword)", "offsetof(PQconninfoOption, val)",
]
# Fails to compile where a function has other parameters, or another result, than libpq's header says.
SAME = """
#include <libpq-fe.h>
#include <CPostgres.h>
#define SAME(name) _Static_assert(__builtin_types_compatible_p(__typeof__(&name), __typeof__(libpq.name)), #name);
#define FUNCTION(result, name, parameters, arguments) SAME(name)
#define PROCEDURE(name, parameters, arguments) SAME(name)
LIBPQ_FUNCTIONS(FUNCTION)
LIBPQ_PROCEDURES(PROCEDURE)
"""


def values(header, folder):
    lines = "\n".join(f'printf("%s=%ld\\n", "{name}", (long)({name}));' for name in CONSTANTS)
    source = folder / f"{header}.c"
    source.write_text(f"#include <stddef.h>\n#include <stdio.h>\n#include <{header}>\nint main(void) {{ {lines} }}\n")
    program = folder / header.removesuffix(".h")
    run("gcc", *INCLUDE, source, ROOT / "Sources/CPostgres/open.c", "-o", program)
    return run(program)


def test_every_function_has_the_type_that_libpq_declares(tmp_path):
    source = tmp_path / "same.c"
    source.write_text(SAME)
    run("gcc", "-fsyntax-only", "-Werror", *INCLUDE, source)
    source.write_text(SAME.replace("LIBPQ_PROCEDURES(PROCEDURE)", "_Static_assert(0, \"seen\");"))
    answer = subprocess.run(["gcc", "-fsyntax-only", *INCLUDE, source], capture_output=True, text=True)
    assert answer.returncode != 0 and "seen" in answer.stderr


def test_every_number_and_layout_is_libpqs(tmp_path):
    ours = values("CPostgres.h", tmp_path)
    assert len(ours.splitlines()) == len(CONSTANTS)
    assert ours == values("libpq-fe.h", tmp_path)
