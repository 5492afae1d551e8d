"""The Router: which checkpoint answers a request, and which checkpoints are in memory."""

from laya.router.decision import RouteDecision
from laya.router.names import Source
from laya.router.policy import REASONS, WORKFLOWS
from laya.router.router import Router

__all__ = ["REASONS", "WORKFLOWS", "RouteDecision", "Router", "Source"]
