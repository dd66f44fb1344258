"""What a job says of itself where nobody watches a terminal."""

from small_runs import run, small_config, small_items

from headcount.debate.progress import Progress


def test_a_log_gets_lines_with_calls_and_the_share_found(tmp_path, capfd):
    config, items = small_config(sizes=(2,)), small_items(3)
    run(config, items, tmp_path)
    run(small_config(sizes=(3,)), items, tmp_path)
    said = capfd.readouterr().err.splitlines()
    assert [line.split(" calls")[0] for line in said] == [
        "draws of m on a: 6 of 6",
        "debate of t on a: 12 of 12",
        "draws of m on a: 9 of 9",
        "debate of t on a: 18 of 18",
    ]
    assert ["0% cached" in line for line in said] == [True, True, False, True]
    assert "67% cached" in said[2]


def test_a_replay_finds_everything_and_pays_nothing(capfd):
    with Progress("replay", 4) as progress:
        for _ in range(4):
            progress.found()
    assert "replay: 4 of 4 calls, 100% cached, 0 tokens/s" in capfd.readouterr().err


def test_a_job_that_fails_says_how_far_it_came(capfd):
    try:
        with Progress("draws", 10) as progress:
            progress.paid(5)
            raise KeyError
    except KeyError:
        pass
    assert "draws: 1 of 10 calls, 0% cached" in capfd.readouterr().err
