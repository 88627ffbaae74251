//! Vector files to verdicts: every row is put to every engine, and every answer held against the row and the others.
