import importlib.util
import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from laya.encoding import TextEncoder

GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "golden"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def byte_tokenizer():
    """One token per UTF-8 byte, so that lengths are easy to count."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {token: i for i, token in enumerate([*SPECIAL, *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab, [], unk_token=SPECIAL[1]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens(SPECIAL)
    return tokenizer


@pytest.fixture(scope="session")
def encoder():
    return TextEncoder.from_tokenizer(byte_tokenizer())


@pytest.fixture(scope="session")
def golden():
    """The recorded cases: (module with the inputs, {checkpoint: recording}, folder of the checkpoints)."""
    if not (GOLDEN / "golden.json").is_file():
        pytest.skip("the golden checkpoints are not beside this checkout")
    spec = importlib.util.spec_from_file_location("golden_cases", GOLDEN / "golden.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        # Running the module sets environment variables; they must not outlive it.
        for name in ("USE_TF", "HF_HUB_OFFLINE", "OMP_NUM_THREADS", "TOKENIZERS_PARALLELISM"):
            patch.setenv(name, "0")
        spec.loader.exec_module(module)
    recorded = json.loads((GOLDEN / "golden.json").read_text(encoding="utf-8"))
    return module, recorded, GOLDEN / "ckpt"
