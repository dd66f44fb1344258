"""A GGUF chat model to a Hugging Face folder. Run by the vLLM environment's Python, which has what this imports.

usage: gguf_to_hf.py MODEL.gguf FOLDER

Weights are kept in float32, which holds every value that a quantised one can stand for. transformers refuses to save a
model that it has read from GGUF, so the numbers move into a new model of the same shape.
"""

import sys
from pathlib import Path

from transformers import AutoModelForCausalLM, AutoTokenizer  # type: ignore[import-not-found]


def main(gguf: Path, folder: Path) -> None:
    read = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype="float32")
    del read.config.quantization_config
    model = type(read)(read.config)
    model.load_state_dict(read.state_dict())
    model.tie_weights()
    model.generation_config = read.generation_config
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name).save_pretrained(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
