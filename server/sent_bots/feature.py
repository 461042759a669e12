"""What bots that are sent to other servers give to this one: nothing, since `quatch bots` is all there is."""

from typing import Final

from server.extension import Feature

FEATURE: Final = Feature("sent_bots", ())
