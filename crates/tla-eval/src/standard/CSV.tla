---- MODULE CSV ----
\* Tables in files. Writing and reading is refused.
CSVWrite(template, val, file) == NATIVE
CSVWriteRecord(record, delim, headers, file) == NATIVE
CSVRead(columns, delimiter, file) == NATIVE
CSVRecords(file) == NATIVE
====
