Nothing here.
