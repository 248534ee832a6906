"""Children placed by a function of the size alone: right from the first picture on, without a style changed."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget


class Arranged(Widget):
    """A widget that says where its children are."""

    def regions(self, size: Size) -> Sequence[Region]:
        """A region for each child, in their order."""
        raise NotImplementedError

    @property
    def layout(self) -> Layout:
        return _BY_REGIONS


class _ByRegions(Layout):
    name = "by-regions"

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        assert isinstance(parent, Arranged)
        return [
            WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, child)
            for child, region in zip(children, parent.regions(size), strict=False)
        ]


_BY_REGIONS = _ByRegions()
