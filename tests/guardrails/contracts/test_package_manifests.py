"""Manifests: which names they hold, what stands behind a name, and when nobody can tell (Change Contracts: dependencies)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.contracts.package_manifests import MAX_CHARACTERS, Unreadable, folded, is_manifest, read

pytestmark = pytest.mark.requirement("CC-08")


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("package.json", True),
        ("apps/web/package.json", True),
        ("go.mod", True),
        ("Cargo.toml", True),
        ("pyproject.toml", True),
        ("requirements.txt", True),
        ("deep/requirements-dev.txt", True),
        ("requirements.in", False),
        ("dev-requirements.txt", False),
        ("requirements/dev.txt", False),
        ("Package.json", False),
        ("package.json5", False),
        ("cargo.toml", False),
        ("package-lock.json", False),
    ],
)
def test_a_manifest_is_told_by_its_name_at_any_depth(path: str, is_one: bool) -> None:
    assert is_manifest(path) is is_one


NPM: dict[str, str | list[str]] = {
    '{"dependencies":{"a":"1"},"devDependencies":{"@s/b":"^2"},"peerDependencies":{"c":"*"}}': "a @s/b c",
    '{"optionalDependencies":{"d":"1"}}': "d",
    '{"bundledDependencies":["a"],"overrides":{"b":"1"},"resolutions":{"c":"1"},"workspaces":["d"]}': "",
    '{"x":{"dependencies":{"a":"1"}}}': "",
    '{"dependencies":{"here":"npm:there@1"}}': "here",
    "{}": "",
}
GO: dict[str, str | list[str]] = {
    "module m\n\ngo 1.24\n\nrequire a.com/b v1.0.0\n": "a.com/b",
    "require (\n\ta.com/b v1 // indirect\n\ta.com/c v1 //indirect; used by tools\n\ta.com/d v1 // indirectly\n)\n": "a.com/d",
    'require "a.com/b" v1\r\nrequire `a.com/c` v1\r\n': "a.com/b a.com/c",
    "require a.com/b v1 // indirect\nrequire a.com/b v1\n": "a.com/b",
    "// require a.com/b v1\nexclude a.com/c v1\nretract [v1.0.0, v1.1.0] // broken\ntool a.com/d\n": "",
    "replace a.com/b => ../b\n": "",
    "require (\n)\n": "",
    "": "",
}
CARGO: dict[str, str | list[str]] = {
    '[dependencies]\na = "1"\n[dev-dependencies]\nb = {version="1"}\n[build-dependencies.c]\nversion="1"': "a b c",
    '[target.\'cfg(unix)\'.dependencies]\na = "1"\n[target.x.dev-dependencies]\nb = "1"': "a b",
    '[workspace.dependencies]\nc = "1"': "c",
    'dependencies.serde = "1"': "serde",
    '[target.x]\ndependencies = { a = "1" }': "a",
    '[package]\ndescription = """\n[dependencies]\nfalse = "1"\n"""': "",
    '[package.metadata.tool.dependencies]\na = "1"\n[features]\nb = []': "",
    '[dependencies]\nserde_json = "1"\n"serde-json" = "1"': "serde_json serde-json",
}
PYPROJECT: dict[str, str | list[str]] = {
    '[project]\ndependencies = ["Requests>=2", "a.b[x]; python_version < \'3\'"]': "requests a-b",
    '[project.optional-dependencies]\nx = ["A"]\ny = ["B_c"]': "a b-c",
    '[dependency-groups]\nx = ["a", {include-group = "y"}]\ny = ["b"]': "a b",
    '[tool.uv]\ndev-dependencies = ["a"]': "a",
    '[tool]\nuv.dev-dependencies = ["a"]': "a",
    '[tool.poetry]\ndependencies = { python = "^3", A_b = "*" }\n[tool.poetry.dev-dependencies]\nc = "1"': "a-b c",
    '[tool.poetry.group.ci.dependencies]\ntox = "*"\nPython = "^3"': "tox",
    'project.dependencies = ["a"]': "a",
    '[project]\nname = "x"\ndescription = """\n[project.optional-dependencies]\nx = ["a"]\n"""': "",
    '[build-system]\nrequires = ["setuptools"]': "",
}
REQUIREMENTS: dict[str, str | list[str]] = {
    "Django==4\nzope.interface >= 1 # why\n\n# no\n": "django zope-interface",
    "a==1 --hash=sha256:0 \\\n  --hash=sha256:1\nb\\\n==2\n": "a b",
    "a \\\n# ends here \\\nb\n": "a b",
    "a[x,y]>=1; python_version<'3'\n": "a",
    "-r other.txt\n-c c.txt\n--index-url https://e.com/s\n--no-binary :all:\n": "",
    "-e ./a\n-e=./b\n-e./c\n--editable ./d\n--editable=./e\n--edit ./f\n": [f"-e ./{name}" for name in "abcdef"],
    "--index-url https://e.com/s -e ./a\n": ["-e ./a"],
    "-e ./x#egg=Na_med\ngit+https://e.com/a.git@main#subdirectory=s&egg=b[x]\n": "na-med b",
    "https://e.com/b.whl\nhttps://e.com/c.whl ; python_version<'3'\nhttps://e.com/d.whl; os_name=='nt'\n": (
        "https://e.com/b.whl https://e.com/c.whl https://e.com/d.whl"
    ),
    "a @ https://e.com/a.whl\n-e 'b @ git+https://e.com/b'\n": "a b",
    "# passed over\u2028a\x0cb\x85c": "a b c",
    "": "",
}
NAMES: dict[str, dict[str, str | list[str]]] = {
    "package.json": NPM,
    "go.mod": GO,
    "Cargo.toml": CARGO,
    "pyproject.toml": PYPROJECT,
    "requirements.txt": REQUIREMENTS,
}


@pytest.mark.parametrize(("path", "text", "names"), [(path, *case) for path, cases in NAMES.items() for case in cases.items()])
def test_a_manifest_names_what_it_names(path: str, text: str, names: str | list[str]) -> None:
    assert read(path, text).names == frozenset(names.split() if isinstance(names, str) else names)


@pytest.mark.parametrize(
    ("path", "text", "stand_ins"),
    [
        ("package.json", '{"dependencies":{"a":"npm:b@1","c":"^1"}}', {("a", "npm:b@1")}),
        (
            "package.json",
            '{"dependencies":{"a":"o/r","b":"workspace:^","c":"workspace:d@*","e":"catalog:"}}',
            {("a", "o/r"), ("c", "workspace:d@*")},
        ),
        (
            "go.mod",
            "replace a.com/b v1 => c.com/d v2\nreplace (\n\ta.com/e => ../e\n)\n",
            {("a.com/b", "c.com/d v2"), ("a.com/e", "../e")},
        ),
        ("Cargo.toml", '[dependencies]\na = { package = "b", version = "1" }\nc = { version = "1" }', {("a", "b")}),
        (
            "Cargo.toml",
            '[patch.crates-io]\na = { git = "https://e.com/a" }\n[replace]\n"b:1" = { path = "../b" }',
            {("a", "https://e.com/a"), ("b:1", "../b")},
        ),
        ("pyproject.toml", '[project]\ndependencies = ["a @ https://e.com/b.whl"]', {("a", "https://e.com/b.whl")}),
        (
            "pyproject.toml",
            '[tool.poetry.dependencies]\na = [{git = "https://e.com/b"}, {version = "1"}]',
            {("a", "https://e.com/b")},
        ),
        (
            "pyproject.toml",
            '[project]\ndynamic = ["version", "dependencies"]',
            {("project.dependencies", "what the build adds (dynamic)")},
        ),
        ("requirements.txt", "a @ git+https://e.com/b\nc==1\n", {("a", "git+https://e.com/b")}),
    ],
)
def test_what_a_name_stands_for_is_known(path: str, text: str, stand_ins: set[tuple[str, str]]) -> None:
    assert read(path, text).stand_ins == stand_ins


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", "[]"),
        ("package.json", "{ broken"),
        ("package.json", '{"dependencies":[]}'),
        ("package.json", '{"dependencies":null}'),
        ("package.json", '{"dependencies":{"a":"1"},"dependencies":{}}'),
        ("package.json", '{"dependencies":{"a":"1","a":"2"}}'),
        ("package.json", '{"a":"\\ud800"}'),
        ("package.json", '{"a":' * 10_000),
        ("package.json", "1" * 10_000),
        ("go.mod", "require a.com/b\n"),
        ("go.mod", "require (\n\ta.com/b v1\n"),
        ("go.mod", "requires a.com/b v1\n"),
        ("go.mod", "require a.com/b v1 /* indirect */\n"),
        ("go.mod", 'require "a.com/b v1\n'),
        ("go.mod", "replace a.com/b\n"),
        ("go.mod", "replace => ../b\n"),
        ("go.mod", "replace\n"),
        ("go.mod", "require {\n\ta.com/b v1\n}\n"),
        ("Cargo.toml", "dependencies = 1"),
        ("Cargo.toml", "[dependencies"),
        ("Cargo.toml", "[dependencies]\na = 1\na = 2"),
        ("Cargo.toml", "[target]\nx = []"),
        ("Cargo.toml", f"a{'.a' * 100_000} = 1"),
        ("Cargo.toml", f"{'a . ' * 70}b = 1"),
        ("Cargo.toml", "a = " + "[" * 10_000),
        ("pyproject.toml", '[project]\ndependencies = "a"'),
        ("pyproject.toml", "[project]\ndependencies = [1]"),
        ("pyproject.toml", '[project]\ndependencies = ["./a"]'),
        ("pyproject.toml", '[dependency-groups]\nx = [{include = "y"}]'),
        ("pyproject.toml", '[dependency-groups]\nx = "a"'),
        ("pyproject.toml", '[tool.poetry]\ndependencies = ["a"]'),
        ("requirements.txt", "./a\n"),
        ("requirements.txt", "a/b.whl\n"),
        ("requirements.txt", "a-1.0-py3-none-any.whl\n"),
        ("requirements.txt", "{{ a }}\n"),
        ("requirements.txt", "${A}==1\n"),
        ("requirements.txt", "-e\n"),
        ("requirements.txt", "-e 'a\n"),
        ("requirements.txt", "-e '" + "a" * 20_000),
        ("requirements.txt", "a#b\n"),
        ("requirements.txt", "a\n" * MAX_CHARACTERS),
    ],
    ids=lambda value: value[:30],
)
def test_what_cannot_be_read_is_never_passed_over(path: str, text: str) -> None:
    with pytest.raises(Unreadable):
        read(path, text)


def test_a_manifest_of_the_greatest_length_is_read() -> None:
    assert read("requirements.txt", "a".ljust(MAX_CHARACTERS)).names == {"a"}


NAME = st.from_regex(r"[a-z][a-z0-9]{0,7}", fullmatch=True)


@given(st.frozensets(NAME, max_size=6), st.data())
def test_every_family_reads_back_what_is_written_in_its_way(names: frozenset[str], data: st.DataObject) -> None:
    ordered = data.draw(st.permutations(sorted(names)))
    written = {
        "package.json": json.dumps({"devDependencies": dict.fromkeys(ordered, "1")}),
        "go.mod": "require (\n" + "".join(f"\te.com/{name} v1\n" for name in ordered) + ")\n",
        "Cargo.toml": "[workspace.dependencies]\n" + "".join(f'"{name}" = "1"\n' for name in ordered),
        "pyproject.toml": f"[dependency-groups]\nx = {json.dumps(ordered)}\n",
        "requirements.txt": "".join(f"{name}==1 \\\n --hash=sha256:0\n" for name in ordered),
    }
    for path, text in written.items():
        before = "e.com/" if path == "go.mod" else ""
        assert read(path, text).names == {f"{before}{name}" for name in names}


@given(st.sampled_from(sorted(NAMES)), st.text(max_size=300))
def test_any_text_is_read_or_refused(path: str, text: str) -> None:
    try:
        listed = read(path, text)
    except Unreadable:
        return
    assert all(isinstance(name, str) for name in listed.names)


@given(st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,8}[A-Za-z0-9])?", fullmatch=True))
def test_folding_twice_is_folding_once(name: str) -> None:
    assert folded(folded(name)) == folded(name)
    assert folded(name) == folded(name.upper().replace("-", "_"))
