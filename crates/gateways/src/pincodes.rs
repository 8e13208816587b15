//! Pincodes, from a table inside the program.
