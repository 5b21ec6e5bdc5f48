//! The turn loop, the tool gate and the ports: no SQL, no TLS, no window.
