#!/bin/sh
# One program for all states of a component: it keeps what there is in a folder beside it.
set -e
mkdir -p services
echo "$LOCUS_OPERATION $LOCUS_NODE $LOCUS_TOKEN" >> services/log
case $LOCUS_OPERATION in
    created) mkdir "services/$LOCUS_NODE" && echo "id=$LOCUS_NODE" >> "$LOCUS_OUTPUT" ;;
    running) echo "$LOCUS_NODE" > "services/$LOCUS_NODE/running" ;;
    delete) rm -r "services/$LOCUS_NODE" ;;
esac
