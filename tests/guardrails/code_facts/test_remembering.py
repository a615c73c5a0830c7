"""What two snapshots share is read once, and told as if it were read twice."""

from __future__ import annotations

import pytest

from guardrails.code_facts.faults import Fault
from guardrails.code_facts.model import ALL, Kind, Provider
from guardrails.code_facts.providers import PROVIDERS
from guardrails.code_facts.python import provider as python
from guardrails.code_facts.python.tests import Collecting
from guardrails.code_facts.typescript import provider as typescript
from guardrails.contracts.coverage import for_several

BASE = {
    "a.py": "from b import f\nf()\n",
    "b.py": "def f() -> None: pass\n",
    "broken.py": "def",
    "test_a.py": "def test_a(): pass\n",
    "a.ts": "import { f } from './b'\nf()\nit('x', () => {})\n",
    "b.ts": "export function f(): void {}\n",
    "broken.ts": "f(",
}
HEAD = {
    **BASE,
    "b.py": "def g() -> None: pass\n",
    "b.ts": "export function g(): void {}\n",
    "package.json": '{"devDependencies": {"jest": "1"}}',
    "pytest.ini": "[pytest]\npython_functions = check_*\n",
}


@pytest.mark.parametrize("wanted", [ALL, frozenset({Kind.SYMBOL}), frozenset({Kind.RESOLVED_CALL, Kind.TEST_DEFINITION})])
@pytest.mark.parametrize(("provider", "reader"), [*zip(PROVIDERS, for_several(PROVIDERS), strict=True)])
def test_whoever_remembers_tells_the_same(provider: Provider, reader: Provider, wanted: frozenset[Kind]) -> None:
    assert (reader.name, reader.version, reader.suffixes, reader.kinds) == (
        provider.name,
        provider.version,
        provider.suffixes,
        provider.kinds,
    )
    for files, kinds in ((HEAD, wanted), (BASE, wanted), (BASE, frozenset({Kind.SYMBOL}) & wanted), (HEAD, ALL)):
        assert reader.read(files, kinds) == provider.read(files, kinds)


def test_a_file_is_read_once_for_as_long_as_nothing_that_decides_it_changes() -> None:
    known: dict[tuple[str, str, Collecting], python.Page | Fault] = {}
    reader = python.Python(known)
    reader.read(BASE)
    before = dict(known)
    reader.read({**BASE, "b.py": HEAD["b.py"]}, frozenset({Kind.SYMBOL}))
    assert len(known) == len(before) + 1
    assert all(known[key] is page for key, page in before.items())


def test_a_file_is_read_again_where_more_is_asked_of_it() -> None:
    known: dict[tuple[str, str, bool], typescript.Page | Fault] = {}
    reader = typescript.TypeScript(known)
    for wanted in (frozenset({Kind.SYMBOL}), ALL):
        reader.read({"a.ts": BASE["a.ts"]}, wanted)
    assert len(known) == 1
    assert {fact.kind for fact in reader.read({"a.ts": BASE["a.ts"]}).facts} >= {Kind.IMPORT, Kind.CALL_SITE}
