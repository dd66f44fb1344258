"""The two answers that a program is: what it does, and how it is written (arXiv 2606.02646, app. N).

A team asked for code has no letter or number to agree on. Its *pass vector* says which assertions of the problem's
check a program passes; its *canonical code* is the program without what no interpreter sees. Agents agree where
these texts are equal. So each axis is an answer like any other, measured and fitted by the same road, and a problem
set has two tasks: `humaneval`, whose answers are pass vectors, and `humaneval.code` (`headcount.axes`).

Nothing here runs a program: that is for a sandbox, which is handed the pieces of `split_assertions` and hands back
what passed.
"""

import ast
from collections.abc import Iterator, Sequence

from headcount.errors import UserError
from headcount.extraction.program import UNREADABLE, parsed

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def pass_vector(results: Sequence[bool | None]) -> str | None:
    """What a program does, as an answer: "1101" passes all assertions but the third.

    A program that runs and fails everything has an answer, "0000"; so has one that crashes or never ends on an
    assertion, which fails it. It is right if it passes all.

    Args:
        results: whether each assertion passed, in the order of the check; None where it was not run.

    Returns:
        a digit an assertion; None where there is no result for one of them, as for a program that could not be run
        at all: a vector with a hole neither equals another nor differs from it. None too without assertions.
    """
    if not results or any(passed is None for passed in results):
        return None
    return "".join("1" if passed else "0" for passed in results)


def canonical_code(source: str) -> str | None:
    """How a program is written, as an answer: parsed, docstrings taken out, and written back.

    What no interpreter sees is gone (spacing, comments, quotes, docstrings of the module, of classes and functions);
    names, control flow and helpers stay, so programs that differ in a variable's name differ (arXiv 2606.02646,
    app. N). Canonical code of canonical code is itself. Compare texts made by one version of Python: another may
    write the same tree otherwise.

    Args:
        source: a whole program, or a completion that parses by itself.

    Returns:
        the program; None where it does not parse, has no statement, or is nested hundreds of levels deep.
    """
    tree = parsed(source)
    if tree is None:
        return None
    try:
        for node in ast.walk(tree):
            if isinstance(node, _DOCUMENTED):
                _strip_docstring(node)
        return ast.unparse(tree) or None
    except UNREADABLE:
        return None


def split_assertions(check_source: str) -> list[str]:
    """The assertions of a HumanEval check, each in a check of its own.

    Each piece keeps everything outside `check`, and of its body what comes before the assertion and is none itself:
    set-up code. An assertion in a loop stays in its loop, and passes if it always does. Those in functions defined
    inside `check` are set-up.

    To run one: the program, then the piece, then `check(entry_point)`. Three checks of HumanEval draw random inputs
    without a seed: set one, or a pass vector may change between runs.

    Args:
        check_source: Python source that defines `check(candidate)`.

    Returns:
        one source an assertion, in order.

    Raises:
        UserError: where the source does not parse, or has no function `check`, or this has no assertion.
    """
    count = len(list(_assertions(_check_of(_parsed(check_source)))))
    if not count:
        raise UserError("The check asserts nothing, so no program can fail it. Give it an assertion.")
    return [_only(_parsed(check_source), place) for place in range(count)]


def _strip_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Without the string that a body begins with, and any that would then be read as one."""
    had = len(node.body)
    while node.body and _is_text(node.body[0]):
        del node.body[0]
    if had and not node.body:
        node.body.append(ast.Pass())


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _parsed(check_source: str) -> ast.Module:
    try:
        return ast.parse(check_source)
    except UNREADABLE as problem:
        raise UserError(f"The check is not Python: {problem}. Correct its source.") from None


def _check_of(tree: ast.Module) -> ast.FunctionDef:
    """The function `check`: the last of that name, which is the one that would run."""
    checks = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "check"]
    if not checks:
        raise UserError("The check defines no function check(candidate). Give its source one.")
    return checks[-1]


def _assertions(node: ast.AST) -> Iterator[ast.Assert]:
    """Assertions below a node in order, those of functions and classes defined there left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Assert):
            yield child
        elif not isinstance(child, _SCOPES):
            yield from _assertions(child)


def _only(tree: ast.Module, place: int) -> str:
    """Source in which `check` ends with its assertion number `place`, and makes no other."""
    check = _check_of(tree)
    assertions = list(_assertions(check))
    kept, others = assertions[place], {*assertions} - {assertions[place]}
    last = next(number for number, statement in enumerate(check.body) if kept in ast.walk(statement))
    check.body = [statement for statement in check.body[: last + 1] if statement not in others]
    return ast.unparse(ast.fix_missing_locations(_Without(others).visit(tree)))


class _Without(ast.NodeTransformer):
    """Puts `pass` in the place of some assertions, so that no body is left empty."""

    def __init__(self, assertions: set[ast.Assert]) -> None:
        super().__init__()
        self._assertions = assertions

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:  # the name that ast calls
        return ast.Pass() if node in self._assertions else node
