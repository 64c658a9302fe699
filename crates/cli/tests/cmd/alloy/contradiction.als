sig Service { needs: set Service }

fact Acyclic { all s: Service | s not in s.^needs }
fact Busy { some Service }

/** Somebody has to be last. */
run Everybody { all s: Service | some s.needs } for 5
