"""How a vLLM server is started: its command, and its environment."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from headcount.config import Model
from headcount.engines.vllm_build import Build, clean

_CPU_BATCH = 16_384  # tokens


@dataclass(frozen=True)
class Server:
    """One of a model's servers, before it runs.

    Attributes:
        served: the name that requests know the model by.
        folder: its weights.
        devices: its GPUs; none where it runs on processors.
    """

    model: Model
    served: str
    folder: Path
    build: Build
    devices: Sequence[str]

    def command(self, port: int) -> list[str]:
        """The command line. The model's own arguments overrule what may be overruled."""
        return [
            *(self.build.python, "-m", "vllm.entrypoints.openai.api_server"),
            *("--dtype", self.model.dtype, "--max-model-len", str(self.model.context)),
            *("--generation-config", "vllm"),  # not what the weights come with: it is in no configuration of ours
            *_switch("enable-prefix-caching", on=self.model.vllm.prefix_caching),
            *(_cpu_arguments(self.model) if self.build.on_cpu else _gpu_arguments(self.model)),
            *("--disable-log-stats", "--disable-uvicorn-access-log", "--uvicorn-log-level", "warning"),
            *self.model.vllm.arguments,
            *("--model", str(self.folder), "--served-model-name", self.served),
            *("--host", "127.0.0.1", "--port", str(port)),
            "--no-enable-log-requests",  # it would log prompts, which may be private
        ]

    def environment(self, key: str) -> dict[str, str]:
        """This job's environment, and the server's: the API key is here alone, since anybody can read a command."""
        return {
            **clean(),
            **(_cpu_environment(self.model) if self.build.on_cpu else _gpu_environment(self.devices)),
            **({"VLLM_BATCH_INVARIANT": "1"} if self.model.vllm.batch_invariant else {}),
            "VLLM_API_KEY": key,
            "VLLM_NO_USAGE_STATS": "1",
            "DO_NOT_TRACK": "1",
            "HF_HUB_OFFLINE": "1",
            "TRANSFORMERS_OFFLINE": "1",
            "NO_COLOR": "1",
        }


def _gpu_arguments(model: Model) -> list[str]:
    settings = model.vllm
    return [
        *("--tensor-parallel-size", str(settings.tensor_parallel)),
        *("--gpu-memory-utilization", str(settings.gpu_memory)),
    ]


def _cpu_arguments(model: Model) -> list[str]:
    """On processors a seed together with chunked prefill crashes the engine, and compiling takes minutes."""
    batch = max(_CPU_BATCH, model.context)
    return ["--no-enable-chunked-prefill", "--max-num-batched-tokens", str(batch), "--enforce-eager"]


def _gpu_environment(devices: Sequence[str]) -> dict[str, str]:
    """The order is nvidia-smi's, so that the numbers mean what they mean there."""
    return {"CUDA_VISIBLE_DEVICES": ",".join(devices), "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}


def _cpu_environment(model: Model) -> dict[str, str]:
    """A fair share of the processors, and threads that do not spin while they wait: others need the cores too."""
    cores = len(os.sched_getaffinity(0)) // model.vllm.data_parallel
    return {
        "VLLM_CPU_KVCACHE_SPACE": os.environ.get("VLLM_CPU_KVCACHE_SPACE", "2"),  # GiB
        "VLLM_CPU_OMP_THREADS_BIND": "nobind",
        "OMP_NUM_THREADS": str(model.threads or max(1, cores)),
        "OMP_WAIT_POLICY": "passive",
    }


def _switch(name: str, *, on: bool) -> list[str]:
    return [f"--{name}" if on else f"--no-{name}"]
