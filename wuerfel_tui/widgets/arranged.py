"""Children placed by a function of the size alone: right from the first picture on, without a style changed."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget


class Arranged(Widget):
    """A widget that says where its children are."""

    def regions(self, size: Size) -> Sequence[Region]:
        """A region for each child, in their order; where the window is too small, less than nothing is allowed."""
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
            WidgetPlacement(_no_less_than_nothing(region), NULL_OFFSET, NULL_SPACING, child)
            for child, region in zip(children, parent.regions(size), strict=False)
        ]


def _no_less_than_nothing(region: Region) -> Region:
    return region._replace(width=max(0, region.width), height=max(0, region.height))


_BY_REGIONS = _ByRegions()
