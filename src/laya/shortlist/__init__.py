"""Choices with very many labels: shortlists by embedding, and tournaments."""

from laya.shortlist.embed import CacheInfo, EmbedFn, cached_embed_fn, embed_fn_from_agent
from laya.shortlist.rank import predict_shortlist, shortlist_choice
from laya.shortlist.tournament import ID_PREFIX, predict_tournament

__all__ = [
    "ID_PREFIX",
    "CacheInfo",
    "EmbedFn",
    "cached_embed_fn",
    "embed_fn_from_agent",
    "predict_shortlist",
    "predict_tournament",
    "shortlist_choice",
]
