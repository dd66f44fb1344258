"""A server's failure to answer: what it means for the same request, for all others, and for what is paid."""

_BUSY = {408, 409, 425, 429}  # worth asking again, as all from 500 on are
_TURNED_AWAY = {401, 403, 404, 425, 429, 503, 529}  # the server did not work on it, and does not bill it
_LONGEST_RETRY_AFTER = 900.0  # seconds; a job that is to wait longer ends instead


class NoAnswer(Exception):
    """Why a try gave no answer.

    Args:
        again: whether to try again.
        worked: whether the server may have worked on it, and bill it.
        slower: whether it wants fewer requests from everybody.
        after: seconds until it wants to be asked again.
    """

    def __init__(
        self, reason: str, *, again: bool = True, worked: bool = True, slower: bool = False, after: float | None = None
    ) -> None:
        super().__init__(reason)
        self.again, self.worked, self.slower, self.after = again, worked, slower, after


def no_answer(status: int, said: str, after: float | None) -> NoAnswer:
    """What a status other than 200 means.

    Args:
        said: the start of the reply.
        after: seconds until the server wants to be asked again, if it says so.
    """
    worked = status not in _TURNED_AWAY
    if status < 500 and status not in _BUSY:
        return NoAnswer(f"{status} {said}", again=False, worked=worked)
    if after and after > _LONGEST_RETRY_AFTER:
        reason = f"{status}, and wants to be asked again in {after:.0f} s: run again then. {said}"
        return NoAnswer(reason, again=False, worked=worked)
    return NoAnswer(f"status {status} {said}", worked=worked, slower=status == 429 or after is not None, after=after)
