//! Shared by the journeys.
