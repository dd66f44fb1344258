"""A rule's code is its module and all that this imports, and nothing else; and what is light stays light."""

import ast
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from headcount import digest as module

ROOT = Path(__file__).parents[1]
LIBRARY = {
    "a.py": "from headcount.b import x\n",
    "b.py": "def f():\n    import headcount.c.d\nx = 1\n",
    "c/__init__.py": "",
    "c/d.py": "from headcount import e\n",
    "e.py": "try:\n    pass\nexcept ImportError:\n    with x:\n        from headcount.a import x  # around again\n",
    "other.py": "from headcount.a import x\n",
    "c/templates/t.j2": "Hello\n",
}


@pytest.fixture
def library(tmp_path) -> Path:
    """A library called headcount, with our digest in it."""
    folder = tmp_path / "headcount"
    for name, text in LIBRARY.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    shutil.copy(module.__file__, folder / "digest.py")
    return folder


def digest(library: Path, *entries: str) -> str:
    spec = importlib.util.spec_from_file_location("digest_of_a_copy", library / "digest.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.digest(*entries)


@pytest.mark.parametrize("file", ["a.py", "b.py", "c/__init__.py", "c/d.py", "e.py"])
def test_a_change_of_anything_imported_changes_it(library, file):
    before = digest(library, "headcount.a")
    (library / file).write_text(LIBRARY[file] + "# x\n")
    assert digest(library, "headcount.a") != before


@pytest.mark.parametrize("file", ["other.py", "c/templates/t.j2"])
def test_a_change_of_anything_else_leaves_it(library, file):
    before = digest(library, "headcount.a")
    (library / file).write_text("changed")
    assert digest(library, "headcount.a") == before


def test_a_folder_counts_with_all_its_files_and_their_names(library):
    seen = {digest(library, "headcount.e", "c/templates"), digest(library, "headcount.e")}
    template = library / "c/templates/t.j2"
    template.write_text("Hullo\n")
    seen.add(digest(library, "headcount.e", "c/templates"))
    template.rename(template.with_name("u.j2"))
    seen.add(digest(library, "headcount.e", "c/templates"))
    assert len(seen) == 4


def test_where_the_library_lies_does_not_matter(library, tmp_path):
    moved = Path(shutil.copytree(library, tmp_path / "elsewhere" / "headcount"))
    assert digest(moved, "headcount.a", "c/templates") == digest(library, "headcount.a", "c/templates")


def test_what_does_not_exist_has_no_digest(library):
    with pytest.raises(ValueError, match=r"headcount\.z is neither"):
        digest(library, "headcount.z")


def test_of_the_library_it_sees_every_import_that_python_sees():
    for file in Path(module.__file__).parent.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        named = [node for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
        plain |= {str(node.module) for node in named}
        plain |= {f"{node.module}.{alias.name}" for node in named for alias in node.names}
        ours = {name for name in plain if name.split(".")[0] == "headcount"}
        assert ours <= set(module._imports(file)), file


def loaded_by(code: str) -> set[str]:
    """The top-level packages that a fresh interpreter has after some code."""
    said = "\nimport json, sys; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", code + said], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    ("code", "without"),
    [
        ("import headcount.publish.registry", {"matplotlib", "pandas", "pyarrow", "scipy"}),
        (  # what every start of Snakemake imports
            "import headcount.config, headcount.debate.planner, headcount.digest\n"
            "from headcount.publish import figures, tables",
            {"matplotlib", "pandas", "pyarrow", "scipy", "jinja2", "aiohttp"},
        ),
        (  # what a table's job imports
            "import sys; sys.path.insert(0, 'workflow/scripts'); import tables as script\n"
            "from headcount.publish import tables\n"
            "for name in tables.PAGES: script.load('tables', name)",
            {"matplotlib", "scipy", "seaborn", "aiohttp", "pydantic"},
        ),
        ("import headcount.cli", {"matplotlib", "pandas", "pyarrow", "scipy", "pydantic"}),
    ],
)
def test_light_things_import_nothing_heavy(code, without):
    assert not loaded_by(code) & without
