"""What is read of TypeScript and JavaScript: declarations, imports, calls, tests, signatures, and what is not known."""

from __future__ import annotations

import re

import pytest

from guardrails.code_facts.model import Kind
from tests.facts import PYTHON, TYPESCRIPT, ends, facts, gaps, names, read

SYMBOLS = [
    ("function f() { function g() {} const h = () => 1; let v = 1; }", ["f", "f.g", "f.h"]),
    (
        "class A { x = 1; m() {} get p() { return 1 } static #s() {} constructor() {} }",
        ["A", "A.#s", "A.constructor", "A.m", "A.p", "A.x"],
    ),
    ("interface I { a: string; b(): void }\ntype T = string;\nenum E { A }", ["E", "I", "I.b", "T"]),
    ("const a = 1, { b, c: d } = x, [e] = y;", ["a", "b", "d", "e"]),
    ("namespace N { export const k = 1; function f() {} }", ["N", "N.f", "N.k"]),
    ("export default function () {}", ["default"]),
    ("export default class extends X { m() {} }", ["default", "default.m"]),
    ("export const o = { save() {} };", ["o", "o.save"]),
    ("declare function f(a: string): void; declare module 'x' { export function g(): void }", ["f", "x", "x.g"]),
    ('const o = { "a b"() {}, [ Symbol.iterator ]() {} }', ["o", "o.[Symbol.iterator]", "o.a b"]),
    ("x.y = 1; import a from 'b';", []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), SYMBOLS)
def test_symbols_are_what_is_declared(source: str, expected: list[str]) -> None:
    assert names(Kind.SYMBOL, {"m.ts": source}) == expected


@pytest.mark.parametrize("ending", ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"])
def test_every_ending_is_read(ending: str) -> None:
    assert names(Kind.SYMBOL, {f"m.{ending}": "export function f() { return 1 }"}) == ["f"]


@pytest.mark.parametrize("ending", ["tsx", "jsx", "js"])
def test_elements_are_read(ending: str) -> None:
    assert names(Kind.CALL_SITE, {f"m.{ending}": "const a = <p className={f()}>it&apos;s {g()}</p>"}) == ["f", "g"]


YOUNG = [
    "interface {0}<in T> {{ a: T }}",
    "interface {0}<out T = unknown, out U extends X = never> {{ a: T }}",
    "type {0}<in out T, U> = {{ a: T }}",
    "class {0}<const T, in U extends string> {{ }}",
    "export interface {0}<\n  // c\n  out T = unknown, /* out x */\n  out U = 'in x',\n> extends Y<T> {{ a: T }}",
    "export type * from './x'; export type * as n from './y'; class {0} {{ }}",
    "interface {0} {{ a?: import('@x/y').N.T[]; b: import(\"x\").T<B, C>; c: import('x').T['k'] }}",
    "type {0} = (x: import('x').T<B>) => Promise<import('x').T<\n import('y').U<C>[]>>",
    "let {0} = before as import('x').T[]; import('x').then<B>(1)",
    "interface {0} {{\n  a: 1\n  in2?: string | undefined\n  in?: string\n  k: 'a' | B[]\n  in: C\n}}",
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize("ending", ["ts", "tsx", "mts"])
@pytest.mark.parametrize("source", YOUNG)
def test_what_is_younger_than_the_grammar_leaves_no_file_unread(source: str, ending: str) -> None:
    text = "const before = 'a, in b';\n" + source.format("A") + "\nfunction after() { return out < x }"
    assert gaps(Kind.SYMBOL, {f"m.{ending}": text}) == []
    assert names(Kind.SYMBOL, {f"m.{ending}": text}) == ["A", "after", "before"]
    assert [one.line for one in facts(Kind.SYMBOL, {f"m.{ending}": text}) if one.name == "after"] == [text.count("\n") + 1]


RESERVED = [
    ("export {{ A as let, b as var, c }}; class {0} {{}}", {"let"}),
    (
        "class {0} {{}}\nexport {{ A as if }};\nexport {{ k }} from 'x';\nexport {{ a as delete, b as\tnew }} from 'y'",
        {"if"},
    ),
    ("import {{ if as a, in as b, c }} from './x'; class {0} {{}}", set()),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize("ending", ["js", "mjs", "ts", "tsx"])
@pytest.mark.parametrize(("source", "offered"), RESERVED)
def test_reserved_words_name_exports(source: str, offered: set[str], ending: str) -> None:
    text = "const before = 'x as if, }}';\n" + source.format("A")
    assert gaps(Kind.SYMBOL, {f"m.{ending}": text}) == []
    assert names(Kind.SYMBOL, {f"m.{ending}": text}) == ["A", "before"]
    assert {*names(Kind.API, {f"m.{ending}": text})} == offered


WRONG = [
    "export { a as if b }",
    "let a = import('x').T[ ",
    "interface A<in T { }",
    "interface A<inn T> { }",
    "let a = <out T>;;)",
    "export type from './x'",
    "export types * from './x'",
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize("source", WRONG)
def test_what_only_looks_younger_is_a_gap(source: str) -> None:
    assert [(one.file, one.line) for one in gaps(Kind.SYMBOL, {"m.ts": source})] == [("m.ts", 1)]


def test_what_is_younger_than_the_grammar_is_part_of_what_is_said() -> None:
    said = [
        "interface A<T> { a: T }",
        "interface A<in T> { a: T }",
        "interface A<out T> { a: T }",
        "interface A<in out T> { a: T }",
    ]
    told = [facts(kind, {"m.ts": f"export {text}"})[0].fingerprint for kind in (Kind.SYMBOL, Kind.API) for text in said]
    assert len(set(told[:4])) == len(set(told[4:])) == 4
    spelled = [facts(Kind.SYMBOL, {"m.ts": f"type A = {word}import('x').T[]"})[0].fingerprint for word in ("", "typeof ")]
    assert spelled[0] != spelled[1]
    again = "export interface A < out   T >\n{ a: T; // c\n}"
    assert facts(Kind.SYMBOL, {"m.ts": again})[0].fingerprint == told[2]


IMPORTS = [
    ("import a, { b } from './x.js'; import * as c from 'c'; import 'side';", ["./x.js", "c", "side"]),
    ("export { a } from './a'; export * from './b'; export * as n from './c';", ["./a", "./b", "./c"]),
    ("import fs = require('fs'); import type { T } from './t';", ["./t", "fs"]),
    ("await import('./lazy'); require('./r'); import(`./t`)", ["./lazy", "./r", "./t"]),
    ("import './\\u0061.js'", ["./a.js"]),
    ("// import './x'\nconst s = \"import './y'\"", []),
]


@pytest.mark.parametrize(("source", "expected"), IMPORTS)
def test_imports_are_told_as_they_are_written(source: str, expected: list[str]) -> None:
    assert names(Kind.IMPORT, {"m.ts": source}) == expected


@pytest.mark.parametrize(
    "source", ["import(name)", "require(`./${x}`)", "require()", "eval(x)", "new Function('a')", "import.meta.glob('./*.ts')"]
)
def test_what_is_computed_is_told_and_not_passed_over(source: str) -> None:
    assert len(gaps(Kind.IMPORT, {"m.ts": source})) == len(gaps(Kind.DEPENDENCY, {"m.ts": source})) == 1


TREE = {
    "src/a.ts": "",
    "src/b.tsx": "",
    "src/c/index.ts": "",
    "src/d.mts": "",
    "src/e.js": "",
    "src/f.json": "{}",
    "src/g.d.ts": "",
}
RELATIVE = [
    ("./a", "src/a.ts"),
    ("./a.js", "src/a.ts"),
    ("./a.ts", "src/a.ts"),
    ("./b.js", "src/b.tsx"),
    ("./b.jsx", "src/b.tsx"),
    ("./c", "src/c/index.ts"),
    ("./c/", "src/c/index.ts"),
    ("./c/index.js", "src/c/index.ts"),
    ("./d.mjs", "src/d.mts"),
    ("./e.js", "src/e.js"),
    ("./f.json", "src/f.json"),
    ("./g", "src/g.d.ts"),
    ("../src/a", "src/a.ts"),
    ("./a?raw", "src/a.ts"),
    ("./style.css", "src/style.css"),
    ("./logo.png", "src/logo.png"),
    ("lodash/fp", "external:lodash/fp"),
    ("node:fs", "external:node:fs"),
]


@pytest.mark.parametrize(("specifier", "expected"), RELATIVE)
def test_specifiers_lead_to_files(specifier: str, expected: str) -> None:
    files = {**TREE, "src/m.ts": f"import x from '{specifier}'"}
    assert [one.target for one in facts(Kind.DEPENDENCY, files)] == [expected]
    assert gaps(Kind.DEPENDENCY, files) == []


@pytest.mark.parametrize("specifier", ["./nowhere", "../../out", "/abs", "#inner", "./a.vue"])
def test_a_specifier_that_leads_nowhere_leaves_dependencies_open(specifier: str) -> None:
    assert len(gaps(Kind.DEPENDENCY, {**TREE, "src/m.ts": f"import x from '{specifier}'"})) == 1


CONFIGURED = [
    ({"tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}'}, "@/a", "src/a.ts"),
    ({"tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}'}, "@/logo.PNG", "src/logo.PNG"),
    ({"tsconfig.json": '{"compilerOptions": {"baseUrl": "./src", "paths": {"~*": ["./*"]}}} // c'}, "~a", "src/a.ts"),
    ({"tsconfig.json": '{"compilerOptions": {"baseUrl": "src",},}'}, "c", "src/c/index.ts"),
    (
        {"tsconfig.json": '{"extends": "./base"}', "base.json": '{"compilerOptions": {"paths": {"x": ["src/a.ts"]}}}'},
        "x",
        "src/a.ts",
    ),
    (
        {
            "src/tsconfig.json": '{"extends": "../base.json"}',
            "base.json": '{"compilerOptions": {"paths": {"x": ["${configDir}/a"]}}}',
        },
        "x",
        "src/a.ts",
    ),
    ({"jsconfig.json": '/* c */ {"compilerOptions": {"paths": {"*": ["./src/*"]}}}'}, "a", "src/a.ts"),
    ({"jsconfig.json": '/* c */ {"compilerOptions": {"paths": {"*": ["./src/*"]}}}'}, "react", "external:react"),
    ({"package.json": '{"imports": {"#i/*": "./src/*.ts"}}'}, "#i/a", "src/a.ts"),
    ({"package.json": '{"imports": {"#o": {"node": "ws", "default": "ws"}}}'}, "#o", "external:ws"),
    ({"pkg/package.json": '{"name": "@own/p", "main": "./m.js"}', "pkg/m.ts": ""}, "@own/p", "pkg/m.ts"),
    (
        {"pkg/package.json": '{"name": "own", "exports": {"./x/*": "./lib/*.ts"}}', "pkg/lib/y.ts": ""},
        "own/x/y",
        "pkg/lib/y.ts",
    ),
    (
        {
            "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
            "tsconfig.app.json": '{"compilerOptions": {"paths": {"lodash": ["./node/lodash.ts"]}}}',
        },
        "./a",
        "src/a.ts",
    ),
]


@pytest.mark.parametrize(("more", "specifier", "expected"), CONFIGURED)
def test_configuration_decides_what_specifiers_mean(more: dict[str, str], specifier: str, expected: str) -> None:
    files = {**TREE, **more, "src/m.ts": f"import x from '{specifier}'"}
    assert [one.target for one in facts(Kind.DEPENDENCY, files)] == [expected]
    assert gaps(Kind.DEPENDENCY, files) == []


OPEN = [
    ({"tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}'}, "@/nowhere"),
    ({"tsconfig.json": '{"compilerOptions": {"baseUrl": "."}}'}, "undeclared"),
    ({"tsconfig.json": '{"extends": "@tsconfig/node20"}'}, "undeclared"),
    ({"tsconfig.json": '{"compilerOptions": {"rootDirs": ["src", "made"]}}'}, "./nowhere"),
    ({"pkg/package.json": '{"name": "own", "exports": "./dist/index.js"}'}, "own"),
    (
        {
            "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
            "tsconfig.app.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
        },
        "@/a",
    ),
]


@pytest.mark.parametrize(("more", "specifier"), OPEN)
def test_what_configuration_leaves_open_is_told_of_the_file(more: dict[str, str], specifier: str) -> None:
    files = {**TREE, **more, "src/m.ts": f"import x from '{specifier}'"}
    assert [one.file for one in gaps(Kind.DEPENDENCY, files)] == ["src/m.ts"]


def test_what_a_manifest_names_is_external_even_below_a_base() -> None:
    manifest = '{"dependencies": {"react": "1"}, "devDependencies": {"@types/koa": "1"}}'
    files = {"tsconfig.json": '{"compilerOptions": {"baseUrl": "."}}', "package.json": manifest}
    files["a/m.ts"] = "import 'react/jsx'; import type K from 'koa'; import fs from 'fs'"
    assert gaps(Kind.DEPENDENCY, files) == []


BROKEN = [
    {"tsconfig.json": '{"extends": "./missing.json"}'},
    {"tsconfig.json": "{"},
    {"tsconfig.json": "[]"},
    {"tsconfig.json": '{"extends": "./tsconfig.json"}'},
    {"a/tsconfig.json": '{"compilerOptions": {"paths": {"a*b*": ["x"]}}}'},
    {"tsconfig.json": '{"references": [{"path": "./nowhere"}]}'},
    {"tsconfig.json": '{"compilerOptions": {"baseUrl": "../out"}}'},
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize("files", BROKEN)
def test_a_configuration_that_fails_is_told_for_its_whole_folder(files: dict[str, str]) -> None:
    folder = next(iter(files)).rpartition("/")[0]
    for kind in (Kind.DEPENDENCY, Kind.RESOLVED_CALL, Kind.API):
        assert [(one.file, one.folder) for one in gaps(kind, {**files, "m.ts": ""})] == [(None, folder)]
    assert gaps(Kind.SYMBOL, {**files, "m.ts": ""}) == []


TYPES = [
    ("import type { T } from './a'", True),
    ("import { type T, type U } from './a'", True),
    ("import { type T, u } from './a'", False),
    ("import d, { type T } from './a'", False),
    ("import {} from './a'", False),
    ("import './a'", False),
    ("export type { T } from './a'", True),
    ("export { type T } from './a'", True),
    ("export * from './a'", False),
    ("export type * from './a'", True),
    ("export type * as n from './a'", True),
    ("let x: typeof import('./a')", True),
    ("let x: typeof import('./a').T", True),
    ("let x: Array<import('./a').N.T | null>", True),
    ("type A = import('./a').T[]; type B = import('./a').T<A>", True),
    ("let x = y as import('./a').T", True),
    ("interface I<T extends import('./a').T> extends K<import('./a').U> {}", True),
    ("function f(x: import('./a').T): import('./a').U {}", True),
    ("const x = import('./a') as T", False),
    ("const x = (await import('./a')).y satisfies T", False),
    ("class C { x = import('./a') }", False),
    ('/// <reference path="./a.ts" />', True),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), TYPES)
def test_what_is_imported_for_its_types_alone_is_told(source: str, expected: bool) -> None:
    assert [one.type_only for one in facts(Kind.DEPENDENCY, {"m.ts": source, "a.ts": ""})] == [expected]


CALLS = [
    ("f()", [("m.ts", "f")]),
    ("function g() { store.put(1)?.x() }", [("m.ts#g", "store.put"), ("m.ts#g", "store.put(...)?.x")]),
    ("class A { m() { this.n(); } f = () => k() }", [("m.ts#A.f", "k"), ("m.ts#A.m", "this.n")]),
    ("const h = async () => { await api.get<string>(1) }", [("m.ts#h", "api.get")]),
    ("new Foo(1); new a.B()", [("m.ts", "new Foo"), ("m.ts", "new a.B")]),
    ("a /* c */ . b()", [("m.ts", "a.b")]),
    ("import('./x').then(f)", [("m.ts", "import"), ("m.ts", "import(...).then")]),
    ("let x: import('./x').T<U>, y = z as import('./x').T, w: typeof import('./x')", []),
    ("a![0].c!()", [("m.ts", "a[...].c")]),
    ("tag`x`", [("m.ts", "tag")]),
    ("(() => 1)()", [("m.ts", "(...)")]),
]


@pytest.mark.parametrize(("source", "expected"), CALLS)
def test_calls_belong_to_whoever_makes_them(source: str, expected: list[tuple[str, str]]) -> None:
    assert ends(Kind.CALL_SITE, {"m.ts": source}) == expected


LIBRARY = {
    "lib/a.ts": "export function f() {}\nexport class K {}\nexport const h = () => 1;\n"
    "export let v = 1;\nexport default function d() {}",
    "lib/index.ts": "export { f as g } from './a.js';\nexport * from './a.js';\nexport * as n from './a.js';",
}
CALLED = [
    ("import { f } from './lib/a'; f()", ["lib/a.ts#f"]),
    ("import { f as x } from './lib/a'; x()", ["lib/a.ts#f"]),
    ("import d from './lib/a'; d()", ["lib/a.ts#d"]),
    ("import * as l from './lib/a'; l.h(); new l.K()", ["lib/a.ts#K", "lib/a.ts#h"]),
    ("import { g, h } from './lib'; g(); h()", ["lib/a.ts#f", "lib/a.ts#h"]),
    ("import { n } from './lib'; n.f()", ["lib/a.ts#f"]),
    ("function own() {} function g() { own() }", ["m.ts#own"]),
    ("const own = () => 1; own()", ["m.ts#own"]),
    ("function over(a: string): void; function over(a: any) {} over(1)", ["m.ts#over"]),
    ("async function g() { await own<string>(1) } async function own<T>(x: T) {}", ["m.ts#own"]),
    ("import { v } from './lib/a'; v()", []),
    ("import { f } from './lib/a'; function g(f) { f() }", []),
    ("import { f } from './lib/a'; function g() { const { f } = x; f() }", []),
    ("let own = () => 1; own = other; own()", []),
    ("let own = () => 1; function g() { let own; own = 1 } own()", ["m.ts#own"]),
    ("x.y(); console.log()", []),
]


@pytest.mark.parametrize(("source", "expected"), CALLED)
def test_calls_are_resolved_where_names_alone_tell_it(source: str, expected: list[str]) -> None:
    assert names(Kind.RESOLVED_CALL, {**LIBRARY, "m.ts": source}) == expected


def test_modules_that_export_each_other_end() -> None:
    files = {"a.ts": "export * from './b'", "b.ts": "export * from './a'", "m.ts": "import { f } from './a'; f()"}
    assert names(Kind.RESOLVED_CALL, files) == []


VITEST = "import { test, it as check, describe } from 'vitest';\n"
TESTS = [
    (f"{VITEST}test('a', () => {{}}); check('b', async function () {{}})", ["a", "b"]),
    (f"{VITEST}describe('s', () => {{ test(`c`, () => {{}}) }})", ["c"]),
    (f"{VITEST}test.only('a', () => {{}}); test.concurrent.fails('b', () => {{}})", ["a", "b"]),
    (f"{VITEST}test.each([1, 2])('same name', () => {{}})", ["same name"]),
    (f"{VITEST}test.skipIf(x)('a', () => {{}})", ["a"]),
    (f"{VITEST}test('a', {{ timeout: 1 }}, () => {{}}); test('b', () => {{}}, 5)", ["a", "b"]),
    (f"{VITEST}test.skip('a', () => {{}}); test.todo('b'); test('c')", []),
    (f"{VITEST}describe.skip('s', () => {{ describe('t', () => {{ test('a', () => {{}}) }}) }})", []),
    (f"{VITEST}test('a', {{ skip: true }}, () => {{}})", []),
    (f"{VITEST}describe('s', () => {{}})", []),
    (f"{VITEST}const own = test.extend({{}}); own('a', () => {{}})", ["a"]),
    ("import * as v from 'vitest'; v.it('a', () => {}); v.describe('s', () => {})", ["a"]),
    ("import { it } from '@jest/globals'; it('a', () => {})", ["a"]),
    ("import test from 'node:test'; test('a', () => {})", ["a"]),
    ("import { it } from './own'; it('a', () => {})", []),
    ("import { it } from 'vitest'; function g(it) { it('a', () => {}) }", []),
    ("const it = 1; it('a', () => {})", []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), TESTS)
def test_tests_are_those_that_would_run(source: str, expected: list[str]) -> None:
    assert names(Kind.TEST_DEFINITION, {"a.test.ts": source}) == expected


GLOBAL = [
    ({"package.json": '{"devDependencies": {"jest": "1"}}'}, ["a"]),
    ({"t/package.json": '{"devDependencies": {"mocha": "1"}}'}, ["a"]),
    ({"vitest.config.ts": "export default { test: { globals: true } }"}, ["a"]),
    ({"other/package.json": '{"devDependencies": {"jest": "1"}}'}, []),
    ({"vitest.config.ts": "export default { test: { globals: false } }"}, []),
    ({}, []),
]


@pytest.mark.parametrize(("more", "expected"), GLOBAL)
def test_words_without_an_import_count_where_something_brings_them(more: dict[str, str], expected: list[str]) -> None:
    files = {**more, "t/a.test.js": "describe('s', () => { it('a', () => {}) })"}
    assert names(Kind.TEST_DEFINITION, files) == expected
    told = [one.name for one in read(files).blind if Kind.TEST_DEFINITION in one.kinds]
    assert told == [name for name in ["a"] if not expected]


@pytest.mark.parametrize(
    "source",
    ["test(name, () => {})", "test(`a${x}`, () => {})", "test.each([1])('a %i', () => {})", "test.for(t)('$x', () => {})"],
)
def test_names_that_are_made_leave_the_tests_of_a_file_open(source: str) -> None:
    assert len(gaps(Kind.TEST_DEFINITION, {"a.test.ts": VITEST + source})) == 1


API = [
    ("export function f(a: string, b?: number): void {}", ["f"]),
    ("export const f = (a: string): void => {}; export const v: string = '';", ["f", "v"]),
    ("export interface I { a: string } export type T = I; export enum E { A }", ["E", "I", "T"]),
    ("function f(): void {} export { f as g }", ["g"]),
    ("export default function f(): void {}", ["default"]),
    ("export class A { x: string; m(): void {} private p(): void {} #q(): void {} n() {} }", ["A", "A.m"]),
    ("export function f(a): void {} export const g = 1; export function h(a: string) {}", []),
    ("function f(): void {} interface I {}", []),
]


@pytest.mark.parametrize(("source", "expected"), API)
def test_api_is_what_is_exported_with_its_types(source: str, expected: list[str]) -> None:
    assert names(Kind.API, {"m.ts": source}) == expected


def test_the_version_names_rules_and_grammars() -> None:
    assert re.fullmatch(r"1/\d+\.\d+\.\d+", TYPESCRIPT.version)
    assert re.fullmatch(r"1/3\.\d+", PYTHON.version)
