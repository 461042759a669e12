#!/usr/bin/env bash
# A bot that plays the first move it is offered; needs jq. Its arguments are those of ssh: first_legal.sh -p 2222 HOST
coproc ssh "$@" bot
while read -r line <&"${COPROC[0]}"; do
    case $(jq -r .type <<<"$line") in
        hello) echo '{"type":"new","rules":"quatch","seats":2,"fill":"hard"}' ;;
        turn) jq -c '{type: "move", ply, move: .legal[0]}' <<<"$line" ;;
        over) jq -c .outcome <<<"$line" >&2 && exit ;;
        error | refused) echo "$line" >&2 && exit 1 ;;
    esac >&"${COPROC[1]}"
done
