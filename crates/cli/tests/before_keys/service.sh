#!/bin/sh
# Notes what it is asked to do; where the file `slow` is, one start does not end.
if [ "$LOCUS_OPERATION $LOCUS_NODE" = "start web[1]" ] && [ -e slow ]; then sleep 100; fi
[ ! -e broken ] || [ "$LOCUS_OPERATION" != start ] || exit 3
echo "$LOCUS_OPERATION $LOCUS_NODE $port $db_url" >> log
[ "$LOCUS_OPERATION" != create ] || printf 'id=i-%s\nurl=http://%s\n' "$LOCUS_NODE" "$LOCUS_NODE" >> "$LOCUS_OUTPUT"
