"""Many cases that one test tries one after the other: as tests of their own they would cost more than what they try."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any

import pytest

Test = Callable[..., Any]


def for_each(arguments: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Try a test with all cases, given as to `pytest.mark.parametrize`. A failure says which case failed.

    Without cases it is skipped: some are things that features give.
    """
    names = (arguments,) if isinstance(arguments, str) else arguments
    tried = [*cases]

    def decorate(test: Test) -> Test:
        def values(case: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever a test takes
            return dict(zip(names, (case,) if isinstance(arguments, str) else case, strict=True))

        async def in_a_loop(**fixtures: Any) -> None:  # noqa: ANN401
            for case in tried:
                with _named(case):
                    await test(**fixtures, **values(case))

        def at_once(**fixtures: Any) -> None:  # noqa: ANN401
            for case in tried:
                with _named(case):
                    test(**fixtures, **values(case))

        whole = update_wrapper(in_a_loop if inspect.iscoroutinefunction(test) else at_once, test)
        signature = inspect.signature(test)
        fixtures = [each for each in signature.parameters.values() if each.name not in names]
        vars(whole)["__signature__"] = signature.replace(parameters=fixtures)
        return whole if tried else pytest.mark.skip(reason="there is no such case")(whole)

    return decorate


@contextmanager
def _named(case: object) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        error.add_note(f"the case: {case}")
        raise
