#!/bin/sh
# One program for all operations of a service: it keeps what there is in a folder beside it.
set -e
mkdir -p services
echo "$LOCUS_OPERATION $LOCUS_NODE $LOCUS_TOKEN" >> services/log
case $LOCUS_OPERATION in
    create) mkdir "services/$LOCUS_NODE" && echo "id=$LOCUS_NODE" >> "$LOCUS_OUTPUT" ;;
    start) echo "$port" > "services/$LOCUS_NODE/port" && echo "url=http://localhost:$port" >> "$LOCUS_OUTPUT" ;;
    stop) rm -f "services/$LOCUS_NODE/port" ;;
    delete) rmdir "services/$LOCUS_NODE" ;;
esac
