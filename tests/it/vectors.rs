//! Every row of the committed vectors, in every engine.
