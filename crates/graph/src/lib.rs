//! Location graphs: the pivot model of Locus.
