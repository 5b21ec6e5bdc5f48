//! Composition root and the one API both hosts use.
