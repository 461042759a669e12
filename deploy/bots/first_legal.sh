#!/usr/bin/env bash
# A bot that plays the first move it is offered; needs jq. Its arguments are those of ssh: first_legal.sh -p 2222 HOST
[ $# -gt 0 ] || { echo "usage: $0 [-p PORT] HOST" >&2 && exit 2; }
coproc ssh "$@" bot
ssh=$!
while read -r line <&"${COPROC[0]}"; do
    case $line in
        '{"type":"hello",'*'"table":null'*) echo '{"type":"new","rules":"quatch","seats":2}' ;;
        '{"type":"joined",'*'"state":"open"'*) echo '{"type":"start"}' ;;
        '{"type":"turn",'*) jq -c '{type: "move", ply, move: .legal[0]}' <<<"$line" ;;
        '{"type":"over",'*) jq -c .outcome <<<"$line" >&2 && echo '{"type":"leave"}' ;;
        '{"type":"left",'*) exit ;;
        '{"type":"error","code":"away",'*) echo '{"type":"back"}' ;;
        '{"type":"error","code":"slow",'* | '{"type":"refused",'*'"code":"not_saved",'*) ;; # it is asked again
        '{"type":"error",'* | '{"type":"refused",'*) echo "$line" >&2 && exit 1 ;;
    esac >&"${COPROC[1]}"
done
wait "$ssh" # the connection has ended: with the status of ssh, 255 if there was none
