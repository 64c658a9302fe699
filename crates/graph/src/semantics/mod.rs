//! How location graphs move: section 2.2 of the report.
